import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { build, type Rolldown } from "vite";

/** Settings of a service for development. */
interface RunnerOptions {
  readonly root: string;
  /** Port of the service itself; browsers talk to `publicUrl`. */
  readonly port: number;
  readonly publicUrl: string;
  /** Called when the service answers again after a change. */
  onRestart(): void;
}

/** A TCP port that is free at the moment. */
export async function freeLocalPort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/**
 * Creates the folder from which the relay serves files: those of `public`, and a manifest that names source files, which the
 * development server serves.
 */
function writePublicFolder(root: string): void {
  const folder = join(root, "dist/dev/public");
  mkdirSync(join(folder, ".vite"), { recursive: true });
  const sources = ["src/widget/define.ts", "src/viewer/viewer.ts"];
  const manifest = Object.fromEntries(sources.map((file) => [file, { file }]));
  writeFileSync(join(folder, ".vite/manifest.json"), JSON.stringify(manifest));
  for (const name of readdirSync(join(root, "public"))) {
    if (!existsSync(join(folder, name)))
      symlinkSync(join(root, "public", name), join(folder, name), "junction");
  }
}

/** Builds the service at each change of its source, and runs the newest build. */
export class ServiceRunner {
  readonly port: number;
  readonly #options: RunnerOptions;
  #watcher: Rolldown.RolldownWatcher | null = null;
  #child: ChildProcess | null = null;
  #restarting: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.port = options.port;
    // Vite ends the process at SIGTERM by itself, which may be before close() is done.
    process.once("exit", () => this.#child?.kill("SIGKILL"));
  }

  /** Resolves when the service answers for the first time. */
  async start(): Promise<void> {
    const { root, onRestart } = this.#options;
    writePublicFolder(root);
    const watcher = (await build({
      root,
      configFile: join(root, "vite.config.ts"),
      mode: "server",
      logLevel: "warn",
      build: { watch: {}, outDir: "dist/dev/server", sourcemap: "inline" },
    })) as Rolldown.RolldownWatcher;
    this.#watcher = watcher;
    await new Promise<void>((resolve) => {
      watcher.on("event", (event) => {
        if (event.code === "BUNDLE_END") {
          const isFirst = this.#child === null;
          this.#restart(isFirst ? resolve : onRestart);
        } else if (event.code === "ERROR") process.stderr.write(`${event.error.message}\n`);
      });
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#watcher?.close();
    await this.#restarting;
    await this.#end();
  }

  /** Replaces the running build with the newest one, after restarts that are already in progress. */
  #restart(then: () => void): void {
    this.#restarting = this.#restarting.then(async () => {
      await this.#end();
      if (this.#closed) return;
      this.#child = this.#run();
      if (await this.#untilReady(this.#child)) then();
    });
  }

  #run(): ChildProcess {
    const { root, port, publicUrl } = this.#options;
    const main = join(root, "dist/dev/server/main.js");
    return spawn(process.execPath, ["--enable-source-maps", main, "start"], {
      cwd: root,
      stdio: "inherit",
      // The console has a build of its own, which is not repeated here.
      env: { VISAVIS_PUBLIC_URL: publicUrl, VISAVIS_CONSOLE: "off", ...process.env, PORT: String(port) },
    });
  }

  /** Waits until the service is ready. False if the process ended or was replaced before. */
  async #untilReady(child: ChildProcess): Promise<boolean> {
    while (child.exitCode === null && child.signalCode === null && !this.#closed) {
      const answer = await fetch(`http://127.0.0.1:${this.port}/readyz`).catch(() => null);
      if (answer?.ok) return true;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return false;
  }

  /** Kills the process at once. Its child processes end with it, and clients connect to the next one. */
  async #end(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
  }
}
