import { randomUUID } from "node:crypto";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";

const repository = join(import.meta.dirname, "../../..");

/** The server as it is shipped. */
export interface ServerBuild {
  /** Path of the command line's script. */
  main: string;
  remove(): void;
}

/** Builds the server by the project's own settings, into a folder of its own. */
export async function buildServer(): Promise<ServerBuild> {
  const folder = join(repository, "test-results", `server-${randomUUID()}`);
  mkdirSync(folder, { recursive: true });
  // It looks for the public files beside itself.
  symlinkSync(join(repository, "public"), join(folder, "public"));
  await build({
    root: repository,
    configFile: join(repository, "vite.config.ts"),
    mode: "server",
    logLevel: "silent",
    build: { outDir: join(folder, "server"), sourcemap: false },
  });
  return {
    main: join(folder, "server", "main.js"),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
