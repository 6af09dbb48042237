import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";
import { madeOnce, runFolders } from "../../made-once.ts";

const repository = join(import.meta.dirname, "../../..");

async function buildInto(folder: string): Promise<void> {
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
}

/** Builds the server with the project's settings, once in a run. Resolves with the path of the command line's script. */
export async function buildServer(): Promise<string> {
  return join(await madeOnce(runFolders.built!, "server", buildInto), "server", "main.js");
}
