import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, test } from "vitest";
import { openSqliteStore } from "../../../src/service/store/database/sqlite-store.ts";
import type { SecretBox } from "../../../src/service/store/secrets/secret-box.ts";
import type { Store } from "../../../src/service/store/store.ts";
import { fillFolder, type RunningService } from "../service-fixture.ts";

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

type AtEnd = (end: () => Promise<void>) => void;

/**
 * Tests that get `run`, one service for all of them that change nothing which another one looks at, since to start one takes longer
 * than most requests, or `own`, a service of their own.
 */
export function testWith<Run extends RunningService>(
  start: (given: Partial<Pick<KeptStore, "folder" | "store">>, atEnd?: AtEnd) => Promise<Run>,
) {
  const ends: (() => Promise<void>)[] = [];
  let shared: Promise<Run> | undefined;
  async function startShared(): Promise<Run> {
    const { folder, store, end } = await openKeptStore();
    ends.push(end);
    return start({ folder, store }, (first) => ends.unshift(first));
  }
  afterAll(async () => {
    for (const end of ends) await end();
  });
  return test.extend("run", () => (shared ??= startShared())).extend("own", () => start({}));
}
