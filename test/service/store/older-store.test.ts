import { join } from "node:path";
import Database from "libsql";
import { expect, onTestFinished, test } from "vitest";
import type { CatalogueKind } from "../../../src/service/store/entities/catalogue-store.ts";
import { defaultQuotas } from "../../../src/service/store/entities/quotas.ts";
import { sqliteMigrations } from "../../../src/service/store/migrations/migrations.ts";
import { seed } from "../../../src/service/store/seed/seed.ts";
import { measureEventFiles } from "../../../src/service/sessions/events/event-files.ts";
import { openFolderFiles } from "../../../src/service/store/files/folder-files.ts";
import { openSqliteStore } from "../../../src/service/store/database/sqlite-store.ts";
import { temporaryFolder } from "../service-fixture.ts";

/** Opens the store of an earlier version, which was before the migration that contains this text, with these rows. */
function openOlder(migration: string, rows: string, folder = temporaryFolder()) {
  const database = new Database(join(folder, "visavis.db"));
  const step = sqliteMigrations.findIndex((text) => text.includes(migration));
  for (const text of sqliteMigrations.slice(0, step)) database.exec(text);
  database.exec(`pragma user_version = ${step}; ${rows}`);
  database.close();
  const store = openSqliteStore(folder);
  onTestFinished(() => store.close());
  return store;
}

test("a store of an older version gets new built-in entries, and none that its operator removed", async () => {
  const mina = JSON.stringify({ name: "mina", model: "changed" });
  // One character is changed and the others are removed.
  const store = openOlder(
    "create table built_in_entry",
    `insert into organization (id, name, created_at_ms) values ('org', 'Shop', 1);
    insert into catalogue_entry (kind, id, name, created_at_ms, body)
    values ('model_style', 'mina', 'mina', 1, '${mina}');`,
  );
  const options = { store, clock: { nowMs: () => 5 }, demoInstructions: "We sell chairs." };
  await seed(options);
  await seed(options);
  const ids = async (kind: CatalogueKind) => (await store.catalogue.rows(kind, "org")).map(({ id }) => id);
  const kept: [CatalogueKind, string[]][] = [
    ["voice", ["visavis-slt", "visavis-rms", "visavis-awb", "visavis-kal", "visavis-kal16"]],
    ["text_normalization_config", ["visavis-english", "visavis-korean"]],
    ["prompt", ["visavis-assistant"]],
    ["document", ["visavis-guide"]],
    ["stt_type", ["pocketsphinx"]],
    ["session_template", ["visavis-avatar"]],
    ["model_style", ["mina"]],
    ["tts_type", []],
  ];
  for (const [kind, expected] of kept) expect(await ids(kind)).toEqual(expected);
  expect(await store.catalogue.find("model_style", "org", "mina")).toMatchObject({ model: "changed" });
  expect(await store.contexts.list("org")).toEqual([]);
});

test("entries of a store in which ids were unique for all organizations keep their order, owners and settings", async () => {
  const store = openOlder(
    "catalogue_entry_owner",
    `insert into organization (id, name, created_at_ms) values ('org', 'Shop', 1), ('other', 'Bakery', 2);
    insert into catalogue_entry (sequence, kind, id, name, organization_id, created_at_ms, body, engine)
    values
      (7, 'llm_type', 'b', 'b', 'org', 1, '{"name": "b"}', '{"model": "m"}'),
      (9, 'llm_type', 'a', 'a', null, 2, '{"name": "a"}', null);`,
  );
  const row = { isOperators: true, revision: 1 };
  expect(await store.catalogue.rows("llm_type", "org")).toEqual([
    { ...row, id: "b", name: "b", body: { name: "b" }, engine: { model: "m" }, isShared: false },
    { ...row, id: "a", name: "a", body: { name: "a" }, engine: null, isShared: true },
  ]);
  const own = { kind: "llm_type", id: "b", name: "b", organizationId: "other", createdAtMs: 3 } as const;
  await store.catalogue.put({ ...own, body: { name: "b", service: "visavis" } });
  expect((await store.catalogue.rows("llm_type", "other")).map(({ id }) => id)).toEqual(["a", "b"]);
});

test("event files of an older version are counted, and deleted when they expire", async () => {
  const folder = temporaryFolder();
  const files = openFolderFiles(join(folder, "files"));
  await files.write("e1", new Uint8Array(70));
  await files.write("e2", new Uint8Array(30));
  const store = openOlder(
    "create table event_file ",
    `insert into organization (id, name, created_at_ms) values ('org', 'Shop', 1);
    insert into session (id, organization_id, revision, status, created_at_ms, last_seen_at_ms, max_session_sec)
    values ('s', 'org', 0, 'TERMINATED', 1, 1, 0);
    insert into session_event (id, session_id, kind, file, created_at_ms)
    values ('e1', 's', 'SESSION_LOG', 'e1', 1), ('e2', 's', 'SESSION_LOG', 'e2', 2),
      ('e3', 's', 'SESSION_LOG', 'lost', 3), ('e4', 's', 'SESSION_LOG', null, 4);`,
    folder,
  );
  await measureEventFiles({ store, files });
  expect(await store.eventFiles.use("s")).toEqual({ files: 3, bytes: 100, storeBytes: 100 });
  expect((await store.eventFiles.createdBefore(3, 10)).map(({ name }) => name)).toEqual(["e1", "e2"]);
});

test("organizations without a quota get the default ones, others keep theirs", async () => {
  const store = openOlder(
    "set max_active_sessions = 200",
    `insert into organization (id, name, created_at_ms) values ('never', 'Shop', 1);
    insert into organization (id, name, created_at_ms, credits) values ('paid', 'Bakery', 2, 40);`,
  );
  expect(await store.organizations.quotas("never")).toEqual(defaultQuotas);
  const unlimited = { activeSessions: null, minutesPerSession: null, minutesPerMonth: null };
  expect(await store.organizations.quotas("paid")).toEqual({ ...unlimited, credits: 40 });
});
