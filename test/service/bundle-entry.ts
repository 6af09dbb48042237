import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "vite";
import { madeOnce, runFolders } from "../made-once.ts";

/** A built entry; `remove` deletes it again, unless other tests of the run use it too. */
export interface BundledEntry {
  url: URL;
  remove(): void;
}

const repository = join(import.meta.dirname, "../..");

/**
 * Builds a TypeScript entry (a worker thread or a child process) into a script for Node, as the server's build does, because
 * Node does not run TypeScript. Packages are not bundled, so the script has to be inside the repository.
 * `source` is a path from the repository's root.
 */
export async function bundleEntry(source: string): Promise<BundledEntry> {
  const urlIn = (folder: string): URL => pathToFileURL(join(folder, "entry.mjs"));
  if (runFolders.built !== undefined) {
    const shared = await madeOnce(runFolders.built, source, (own) => buildInto(own, source));
    return { url: urlIn(shared), remove: () => undefined };
  }
  const folder = join(repository, "test-results", `entry-${randomUUID()}`);
  await buildInto(folder, source);
  return { url: urlIn(folder), remove: () => rmSync(folder, { recursive: true, force: true }) };
}

async function buildInto(outDir: string, source: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: "silent",
    root: repository,
    publicDir: false,
    build: {
      ssr: join(repository, source),
      outDir,
      target: "node20",
      rolldownOptions: { output: { entryFileNames: "entry.mjs" } },
    },
  });
}
