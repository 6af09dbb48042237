import { randomUUID } from "node:crypto";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";

const repository = join(import.meta.dirname, "../../..");

/** The built server. */
export interface ServerBuild {
  /** Path of the command line's script. */
  main: string;
  remove(): void;
}

/** Builds the server with the project's settings into a separate folder. */
export async function buildServer(): Promise<ServerBuild> {
  const folder = join(repository, "test-results", `server-${randomUUID()}`);
  mkdirSync(folder, { recursive: true });
  // The server looks for the public files in the folder beside it.
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
