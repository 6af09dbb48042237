import { afterAll, beforeAll } from "vitest";
import {
  createTextReader,
  type TextReader,
} from "../../src/service/administration/knowledge/reading/text-reader.ts";
import { bundleEntry, type BundledEntry } from "./bundle-entry.ts";

type Options = Partial<Parameters<typeof createTextReader>[0]>;

/** For tests that read files or pages: builds the script of the thread. The readers are to be closed. */
export function useTextReader(): (options?: Options) => TextReader {
  let entry: BundledEntry;
  beforeAll(async () => {
    entry = await bundleEntry("src/service/administration/knowledge/reading/reading-worker.ts");
  });
  afterAll(() => entry.remove());
  return (options) =>
    createTextReader({
      workerUrl: entry.url,
      memoryBytes: () => process.memoryUsage.rss(),
      ...options,
    });
}
