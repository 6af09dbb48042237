import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "vite";

/** A built entry; `remove` deletes it again. */
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
  const outDir = join(repository, "test-results", `entry-${randomUUID()}`);
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
  return {
    url: pathToFileURL(join(outDir, "entry.mjs")),
    remove: () => rmSync(outDir, { recursive: true, force: true }),
  };
}
