import { chmodSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { openStorage, type Storage } from "../../../src/service/store/open-storage.ts";
import { createSecretBox, type SecretBox } from "../../../src/service/store/secrets/secret-box.ts";
import { seed } from "../../../src/service/store/seed/seed.ts";
import { openSqliteStore } from "../../../src/service/store/database/sqlite-store.ts";
import type { Store } from "../../../src/service/store/store.ts";
import { silentLog, temporaryFolder } from "../service-fixture.ts";
import { hasPostgres, postgresForTests } from "./postgres-server.ts";

const places = ["engine-key", "tool-header", "hook-argument", "agent-tool", "webhook-path", "webhook-secret"];
const secrets = places.map((place) => `canary-${place}`);

const box = createSecretBox("the secret of the store");

async function putSecrets(store: Store, organizationId: string): Promise<void> {
  const at = "2026-01-01T00:00:00.000Z";
  const put = (id: string, name: string, entry: object): Promise<boolean> =>
    store.catalogue.put({ id, name, organizationId, createdAtMs: 1, ...entry } as never);
  await put("l1", "chat", {
    ...{ kind: "llm_type", body: { name: "chat", service: "openai" } },
    engine: { base_url: "https://llm.example", api_key: secrets[0] },
  });
  await put("m1", "orders", {
    kind: "mcp_server",
    body: {
      ...{ mcpserver_id: "m1", name: "orders", organization: organizationId, url: "https://tools.example" },
      ...{ description: "", auth_header: secrets[1], transport_protocol: "sse", server_timeout_sec: 5 },
      extra_data: null,
    },
  });
  await put("n1", "Words", {
    kind: "text_normalization_config",
    body: {
      ...{ textnormalizationconfig_id: "n1", name: "Words", created_at: at, hook_enabled: true },
      ...{ pre_hook_url: "https://hooks.example", pre_hook_args: { token: secrets[2] } },
      ...{ post_hook_url: null, post_hook_args: null },
    },
  });
  await put("a1", "Agent", {
    kind: "agent_config",
    body: {
      ...{ agentconfig_id: "a1", name: "Agent", created_at: at, updated_at: at },
      config: { tools: [{ header: secrets[3] }] },
    },
  });
  if ((await store.webhooks.find(organizationId, "w1")) !== null) return;
  await store.webhooks.insert({
    ...{ id: "w1", organizationId, address: `https://hooks.example/${secrets[4]}`, secret: secrets[5]! },
    ...{ events: ["rating.down"], withWords: false, state: "on", failures: 0, createdAtMs: 1 },
  });
}

async function expectSecrets(store: Store, organizationId: string): Promise<void> {
  const { catalogue } = store;
  const row = await catalogue.row("llm_type", organizationId, "chat");
  expect(row?.engine).toMatchObject({ api_key: secrets[0] });
  expect((await catalogue.find("mcp_server", organizationId, "orders"))?.auth_header).toBe(secrets[1]);
  const config = await catalogue.find("text_normalization_config", organizationId, "n1");
  expect(config?.pre_hook_args).toEqual({ token: secrets[2] });
  const agents = await catalogue.list("agent_config", organizationId);
  expect(agents).toMatchObject([{ config: { tools: [{ header: secrets[3] }] } }]);
  const address = `https://hooks.example/${secrets[4]}`;
  expect(await store.webhooks.find(organizationId, "w1")).toMatchObject({ address, secret: secrets[5] });
}

/** The secrets that can be read in the bytes of a folder's files. */
function told(folder: string): string[] {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files.map(({ name }) => name)).toContain("visavis.db");
  const bytes = Buffer.concat(files.map(({ name }) => readFileSync(join(folder, name))));
  return secrets.filter((secret) => bytes.includes(secret));
}

async function open(folder: string, withBox: SecretBox = box): Promise<Storage> {
  const storage = await openStorage({ dataFolder: folder, databaseUrl: undefined, box: withBox }, silentLog);
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) await storage.close();
    isOpen = false;
  };
  onTestFinished(close);
  return { ...storage, close };
}

async function organizationOf(store: Store): Promise<string> {
  await seed({ store, clock: { nowMs: () => 5 }, demoInstructions: "We sell chairs." });
  return (await store.organizations.first())!.id;
}

/** A folder with a store that has its secrets, open. */
async function filled() {
  const folder = temporaryFolder();
  const { store, close } = await open(folder);
  const organization = await organizationOf(store);
  await putSecrets(store, organization);
  return { folder, store, close, organization };
}

describe("in SQLite", () => {
  test("the files contain no readable secret, while they are open and afterwards", async () => {
    const { folder, store, close, organization } = await filled();
    await expectSecrets(store, organization);
    expect(told(folder)).toEqual([]);
    await close();
    expect(told(folder)).toEqual([]);
    await expectSecrets((await open(folder)).store, organization);
  });

  test("unencrypted values are encrypted at the next start, without a trace of the old ones", async () => {
    const folder = temporaryFolder();
    const plain = openSqliteStore(folder);
    const organization = await organizationOf(plain);
    await putSecrets(plain, organization);
    // Overwritten values stay in a database's free pages.
    await plain.catalogue.remove("agent_config", organization, "a1");
    await plain.close();
    expect(told(folder).length).toBeGreaterThanOrEqual(3);
    const { close } = await open(folder);
    expect(told(folder)).toEqual([]);
    await close();
    expect(told(folder)).toEqual([]);
    const again = (await open(folder)).store;
    await putSecrets(again, organization);
    await expectSecrets(again, organization);
  });

  test("a change of an entry starts from its current value, and is encrypted again", async () => {
    const { folder, store, organization } = await filled();
    const rename = (name: string) =>
      store.catalogue.revise("mcp_server", organization, "m1", ({ description, ...body }) => ({
        ...{ ...body, description: description + name },
      }));
    await Promise.all([rename("a"), rename("b")]);
    const revised = await store.catalogue.find("mcp_server", organization, "m1");
    expect(revised!.description.split("").toSorted()).toEqual(["a", "b"]);
    expect(revised!.auth_header).toBe(secrets[1]);
    expect(told(folder)).toEqual([]);
  });

  test("a row's encrypted value cannot be decrypted in another row", async () => {
    const { folder, store, close, organization } = await filled();
    await store.catalogue.put({
      ...({ kind: "llm_type", id: "l2", name: "thief", organizationId: organization } as const),
      ...{ createdAtMs: 1, body: { name: "thief", service: "openai" }, engine: { api_key: "mine" } },
    });
    await close();
    const database = new Database(join(folder, "visavis.db"));
    database.exec(
      "update catalogue_entry set engine = (select engine from catalogue_entry where id = 'l1') where id = 'l2'",
    );
    database.close();
    const stolen = (await open(folder)).store.catalogue.row("llm_type", organization, "l2");
    await expect(stolen).rejects.toMatchObject({ code: "damaged" });
  });

  test("a wrong secret is refused at the start, and the error says what to do", async () => {
    const { folder, close, organization } = await filled();
    await close();
    await expect(open(folder, createSecretBox("another"))).rejects.toThrow(
      /encrypted with another secret\. Set VISAVIS_SECRET .*VISAVIS_OLD_SECRETS/,
    );
    await expectSecrets((await open(folder)).store, organization);
  });

  test("a changed secret encrypts everything again, and the old one no longer decrypts anything", async () => {
    const { folder, close, organization } = await filled();
    await close();
    const rotated = await open(folder, createSecretBox("the new secret", ["the secret of the store"]));
    await expectSecrets(rotated.store, organization);
    await rotated.close();
    const after = await open(folder, createSecretBox("the new secret"));
    await expectSecrets(after.store, organization);
    await after.close();
    await expect(open(folder)).rejects.toMatchObject({ code: "wrong_secret" });
  });

  test("files and folder are accessible only to their owner, also those that existed before", async () => {
    const folder = join(temporaryFolder(), "data");
    mkdirSync(join(folder, "files"), { recursive: true });
    openSqliteStore(folder);
    writeFileSync(join(folder, "files", "old"), "text");
    for (const name of ["", "files"]) chmodSync(join(folder, name), 0o755);
    for (const name of ["visavis.db", "visavis.db-wal", "visavis.db-shm", "files/old"])
      chmodSync(join(folder, name), 0o644);
    const { store, files } = await open(folder);
    await organizationOf(store);
    await files.write("new", new Uint8Array(3));
    const modes = (names: string[]) => names.map((name) => statSync(join(folder, name)).mode & 0o777);
    expect(modes(["", "files"])).toEqual([0o700, 0o700]);
    const kept = ["visavis.db", "visavis.db-wal", "visavis.db-shm", "files/old", "files/new"];
    expect(modes(kept)).toEqual(kept.map(() => 0o600));
  });
});

describe.skipIf(!hasPostgres)("in Postgres [needs PostgreSQL]", () => {
  const server = postgresForTests();

  async function rowsOf(url: string): Promise<string> {
    const client = new pg.Client(url);
    await client.connect();
    try {
      const entries = await client.query("select body, engine from catalogue_entry");
      const webhooks = await client.query("select target from webhook");
      return JSON.stringify([entries.rows, webhooks.rows]);
    } finally {
      await client.end();
    }
  }

  test("unencrypted rows are encrypted at the next start by one of several processes", async () => {
    const databaseUrl = await server.newDatabase();
    const openAt = (given?: SecretBox) =>
      openStorage({ dataFolder: temporaryFolder(), databaseUrl, box: given }, silentLog);
    const plain = await openAt();
    const organization = await organizationOf(plain.store);
    await putSecrets(plain.store, organization);
    await plain.close();
    expect(await rowsOf(databaseUrl)).toContain(secrets[0]);
    const both = await Promise.all([openAt(box), openAt(box)]);
    for (const { store } of both) await expectSecrets(store, organization);
    const rows = await rowsOf(databaseUrl);
    for (const secret of secrets) expect(rows).not.toContain(secret);
    for (const storage of both) await storage.close();
    await expect(openAt(createSecretBox("another"))).rejects.toMatchObject({ code: "wrong_secret" });
  });
});
