import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { createRetention } from "../../../src/service/retention.ts";
import { openSqliteStore } from "../../../src/service/store/database/sqlite-store.ts";
import { openPostgresStore } from "../../../src/service/store/database/postgres-store.ts";
import { seed } from "../../../src/service/store/seed/seed.ts";
import type { Store } from "../../../src/service/store/store.ts";
import { silentLog, temporaryFolder } from "../service-fixture.ts";
import { hasPostgres, startPostgres } from "./postgres-server.ts";

const word = "canarypiano";

/** The files of a folder that hold the word. */
const filesWithWord = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(word))
    .map(({ name }) => name);

/** Stores a document with the word and deletes it. Calls `between` before the sweep that removes it for good. */
async function deleteForGood(store: Store, between: () => void): Promise<void> {
  let nowMs = 1_000_000;
  const clock = { nowMs: () => nowMs };
  await seed({ store, clock, demoInstructions: "", apiKey: "vv_a_key_of_this_test" });
  const organizationId = (await store.organizations.first())!.id;
  const at = new Date(nowMs).toISOString();
  const body = {
    ...{ document_id: "d", title: word, file: "/d", processed: true, processed_v2: true },
    ...{ created_at: at, updated_at: at, search_count: 0, ef_search: 0 },
    description: `About the ${word}. `.repeat(2_000),
  };
  const document = { id: "d", organizationId, body, engine: { text: `The ${word} is in the shop.` } };
  await store.catalogue.put({ ...document, kind: "document", name: word, createdAtMs: nowMs });
  await store.catalogue.remove("document", organizationId, "d");
  await store.deletedDocuments.put({ ...document, contexts: [], deletedAtMs: nowMs });
  between();
  nowMs += 31_000;
  const nothing = () => Promise.resolve(null);
  const files = { write: nothing, read: nothing, remove: nothing };
  await createRetention({ store, files: files as never, clock, log: silentLog }).sweep();
}

test("what was deleted is in no file of the store, while it runs and after a stop", async () => {
  const folder = temporaryFolder();
  const store = openSqliteStore(folder);
  try {
    await deleteForGood(store, () => expect(filesWithWord(folder)).not.toEqual([]));
    expect(filesWithWord(folder)).toEqual([]);
  } finally {
    await store.close();
  }
  expect(filesWithWord(folder)).toEqual([]);
});

test.skipIf(!hasPostgres)("in Postgres, it is in no table after VACUUM FULL [needs Postgres]", async () => {
  const server = await startPostgres();
  onTestFinished(() => server.remove());
  const url = await server.newDatabase();
  const { store } = await openPostgresStore(url, silentLog);
  onTestFinished(() => store.close());
  const client = new pg.Client(url);
  await client.connect();
  onTestFinished(() => client.end());
  const tables = join((await client.query("show data_directory")).rows[0].data_directory, "base");
  await deleteForGood(store, () => undefined);
  await client.query("vacuum");
  await client.query("checkpoint");
  // The place may be used again, but is not overwritten.
  expect(filesWithWord(tables)).not.toEqual([]);
  await client.query("vacuum full");
  await client.query("checkpoint");
  expect(filesWithWord(tables)).toEqual([]);
});
