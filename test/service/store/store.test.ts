import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openFolderFiles } from "../../../src/service/store/folder-files.ts";
import { seed } from "../../../src/service/store/seed.ts";
import { openSqliteStore } from "../../../src/service/store/sqlite-store.ts";
import type { SessionRecord } from "../../../src/service/store/store.ts";
import { temporaryFolder } from "../service-fixture.ts";

const organizationId = "org";

async function openStore(folder = temporaryFolder()) {
  const store = openSqliteStore(folder);
  onTestFinished(() => store.close());
  if (!(await store.organizations.first()))
    await store.organizations.insert({ id: organizationId, name: "Organization", createdAtMs: 1 });
  return store;
}

function session(id: string, deadlineAtMs: number | null): SessionRecord {
  return {
    id,
    organizationId,
    contextUuid: null,
    revision: 0,
    deadlineAtMs,
    state: {
      status: "CREATED",
      terminationReason: null,
      createdAtMs: 1,
      inProgressAtMs: null,
      lastSeenAtMs: 1,
      endedAtMs: null,
      maxSessionSec: 0,
      boughtMin: 0,
    },
  };
}

const detail = {
  request: { capability: ["TTS" as const], padding_left: 0, padding_top: 0, padding_height: 1 },
  clientSdp: null,
  serverSdp: null,
};

describe("sessions", () => {
  test("of changes made from the same revision exactly one is saved", async () => {
    const store = await openStore();
    await store.sessions.insert(session("a", 5), detail, "2026-01");
    const next = { ...session("a", null), revision: 1 };
    const saved = await Promise.all([1, 2, 3, 4].map(() => store.sessions.replace(next)));
    expect(saved.filter((outcome) => outcome === "saved")).toHaveLength(1);
    expect(await store.sessions.byId("a")).toEqual(next);
  });

  test("due are those whose deadline has come, earliest first", async () => {
    const store = await openStore();
    for (const [id, deadline] of [
      ["late", 30],
      ["early", 10],
      ["ended", null],
      ["later", 40],
    ] as const)
      await store.sessions.insert(session(id, deadline), detail, "2026-01");
    expect((await store.sessions.due(30, 10)).map(({ id }) => id)).toEqual(["early", "late"]);
    expect((await store.sessions.due(100, 1)).map(({ id }) => id)).toEqual(["early"]);
  });

  test("descriptions are kept beside the request", async () => {
    const store = await openStore();
    await store.sessions.insert(session("a", 5), detail, "2026-01");
    await store.sessions.saveDescriptions("a", "offer", "answer");
    expect(await store.sessions.detail("a")).toEqual({ ...detail, clientSdp: "offer", serverSdp: "answer" });
    expect(await store.sessions.detail("b")).toBeNull();
  });
});

describe("catalogue", () => {
  const entry = (id: string, name: string, owner: string | null, service: "visavis" | "openai") => ({
    kind: "llm_type" as const,
    id,
    name,
    organizationId: owner,
    createdAtMs: 1,
    body: { name, service },
  });

  test("an id goes before a name, and other organizations' entries are not seen", async () => {
    const store = await openStore();
    await store.organizations.insert({ id: "other", name: "Other", createdAtMs: 2 });
    await store.catalogue.put(entry("one", "two", null, "visavis"));
    await store.catalogue.put(entry("two", "three", organizationId, "openai"));
    await store.catalogue.put(entry("four", "four", "other", "openai"));
    expect(await store.catalogue.find("llm_type", organizationId, "two")).toMatchObject({ name: "three" });
    expect(await store.catalogue.find("llm_type", organizationId, "one")).toMatchObject({ name: "two" });
    expect(await store.catalogue.find("llm_type", organizationId, "four")).toBeNull();
    expect(await store.catalogue.find("tts_type", organizationId, "one")).toBeNull();
    expect(await store.catalogue.list("llm_type", organizationId)).toHaveLength(2);
  });

  test("putting an entry again replaces it", async () => {
    const store = await openStore();
    await store.catalogue.put(entry("one", "a", null, "visavis"));
    await store.catalogue.put(entry("one", "b", null, "openai"));
    expect(await store.catalogue.list("llm_type", organizationId)).toEqual([
      { name: "b", service: "openai" },
    ]);
  });
});

test("what is written is there after the store is opened again", async () => {
  const folder = temporaryFolder();
  const first = openSqliteStore(folder);
  await first.organizations.insert({ id: organizationId, name: "Organization", createdAtMs: 1 });
  await first.sessions.insert(session("a", 5), detail, "2026-01");
  await first.close();
  const second = await openStore(folder);
  expect(await second.sessions.byId("a")).toEqual(session("a", 5));
});

test("a store written by a newer version is refused", async () => {
  const folder = temporaryFolder();
  await openSqliteStore(folder).close();
  const script = `const D=require("libsql");const d=new D(process.argv[1]);d.exec("pragma user_version=999");d.close()`;
  execFileSync(process.execPath, ["-e", script, join(folder, "visavis.db")]);
  expect(() => openSqliteStore(folder)).toThrow(/newer version/);
});

test("revoking a key keeps the first time", async () => {
  const store = await openStore();
  const key = {
    id: "k",
    organizationId,
    name: "Key",
    hash: "h",
    createdAtMs: 1,
    expiresAtMs: null,
    revokedAtMs: null,
  };
  await store.apiKeys.insert(key);
  await store.apiKeys.revoke("k", 5);
  await store.apiKeys.revoke("k", 9);
  expect(await store.apiKeys.byHash("h")).toEqual({ ...key, revokedAtMs: 5 });
  expect(await store.apiKeys.list(organizationId)).toHaveLength(1);
});

describe("the first start", () => {
  const options = {
    clock: { nowMs: () => 5 },
    demoInstructions: "We sell chairs.",
    apiKey: "vv_first_key_000",
  };

  test("may be repeated: nothing is doubled, changes stay, and a new key is added", async () => {
    const store = openSqliteStore(temporaryFolder());
    onTestFinished(() => store.close());
    await seed({ store, ...options });
    const { id } = (await store.organizations.first())!;
    const demo = (await store.contexts.list(id)).find(({ contextId }) => contextId === "ctx_demo");
    await store.contexts.replace(id, demo!.id, { ...demo!, greeting: "Changed" }, 6);
    await seed({ store, ...options });
    await seed({ store, ...options, apiKey: "vv_second_key_00" });
    const contexts = await store.contexts.list(id);
    expect(contexts).toHaveLength(4);
    expect(contexts.find(({ contextId }) => contextId === "ctx_demo")).toMatchObject({ greeting: "Changed" });
    expect(await store.catalogue.list("model_style", id)).toHaveLength(4);
    expect(await store.apiKeys.list(id)).toHaveLength(2);
  });

  test("refuses a key that no header can carry", async () => {
    const store = openSqliteStore(temporaryFolder());
    onTestFinished(() => store.close());
    await expect(seed({ store, ...options, apiKey: "short" })).rejects.toThrow(/8 to 256/);
  });
});

test("files keep to their folder", async () => {
  const folder = temporaryFolder();
  const files = openFolderFiles(folder);
  await files.write("a", new Uint8Array([1, 2]));
  expect([...((await files.read("a")) ?? [])]).toEqual([1, 2]);
  expect(await files.read("b")).toBeNull();
  expect(await files.read("../a")).toBeNull();
  await expect(files.write("../a", new Uint8Array())).rejects.toThrow();
});
