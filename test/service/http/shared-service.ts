import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { openSqliteStore } from "../../../src/service/store/database/sqlite-store.ts";
import type { SecretBox } from "../../../src/service/store/secrets/secret-box.ts";
import type { Store } from "../../../src/service/store/store.ts";
import { fillFolder, runService, type RunningService } from "../service-fixture.ts";

/** A seeded store that stays open for several tests. */
interface KeptStore {
  folder: string;
  store: Store;
  end(): Promise<void>;
}

/** `boxOf`: seals what is private in the store of a folder. */
export async function openKeptStore(boxOf?: (folder: string) => SecretBox): Promise<KeptStore> {
  const folder = mkdtempSync(join(tmpdir(), "visavis-service-"));
  await fillFolder(folder);
  const store = openSqliteStore(folder, boxOf?.(folder));
  return {
    folder,
    store,
    async end() {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * One service for those tests of a file that change nothing which another one looks at: to start one takes longer than most
 * requests. `prepare` is called once.
 */
export function sharedService(
  overrides: Parameters<typeof runService>[0] = {},
  prepare: (run: RunningService) => Promise<unknown> = () => Promise.resolve(),
): () => Promise<RunningService> {
  let kept: KeptStore | undefined;
  let running: Promise<RunningService> | undefined;
  async function start(): Promise<RunningService> {
    kept = await openKeptStore();
    const run = await runService({ ...overrides, folder: kept.folder, store: kept.store });
    await prepare(run);
    return run;
  }
  afterAll(() => kept?.end());
  return () => (running ??= start());
}
