import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    /** Inside the repository, for scripts that are built and that import its packages. */
    builtFolder: string;
    /** Outside of it, where the user that runs a Postgres can read. */
    sharedFolder: string;
  }
}

/** Folders for what takes long to make and all files of a run share. They are removed at its end. */
export default function setup(project: TestProject): () => void {
  const results = join(import.meta.dirname, "../test-results");
  mkdirSync(results, { recursive: true });
  const builtFolder = mkdtempSync(join(results, "built-"));
  const sharedFolder = mkdtempSync(join(tmpdir(), "visavis-shared-"));
  chmodSync(sharedFolder, 0o755);
  const remove = (): void => {
    for (const folder of [builtFolder, sharedFolder]) rmSync(folder, { recursive: true, force: true });
  };
  project.provide("builtFolder", builtFolder);
  project.provide("sharedFolder", sharedFolder);
  // Otherwise a run in watch mode would use what an earlier version was built into.
  project.onTestsRerun(() => {
    remove();
    for (const folder of [builtFolder, sharedFolder]) mkdirSync(folder, { recursive: true, mode: 0o755 });
  });
  return remove;
}
