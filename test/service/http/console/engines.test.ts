import { describe, expect } from "vitest";
import type {
  Engine,
  EnginePut,
  EngineTest,
  OfflineModel,
} from "../../../../src/protocol/console/engines.ts";
import { putEngine, type EngineParts } from "../../../../src/service/administration/engines/engines.ts";
import { statusOf } from "../../answers.ts";
import { addOtherOrganization, type RunningService } from "../../service-fixture.ts";
import { type Browser, jsonOf, owner, runConsole, test } from "./console-fixture.ts";
import { askForEvents } from "./visitor.ts";

const list = "/api/console/engines/";
const secret = "canary-secret-key";
const house = `${list}model/house/`;
const engine = { base_url: "https://llm.example/v1", model: "m1" };
const fields = { name: "house", service: "onpremise", engine };
const stranger = { ...fields, engine: { ...engine, base_url: "https://stranger.example/v1" } };

const put = (browser: Browser, body: object = {}, path = house) =>
  browser.send("PUT", path, { fields, ...body });
const withModel = (model: string) => ({ fields: { ...fields, engine: { ...engine, model } } });
const refused = async (answer: Promise<Response>) => [(await answer).status, await (await answer).text()];
const keyMissing = [400, expect.stringContaining('"key"')];

const found = async (browser: Browser, id: string) =>
  (await jsonOf<Engine[]>(browser.get(list))).find((one) => one.id === id);

test("those of a new store are listed with their state and the avatars that use them", async ({
  run,
  browser,
}) => {
  expect(await found(browser, "visavis-retrieval")).toMatchObject({
    ...{ kind: "model", engine: "retrieval", is_built_in: true, is_offline: true, state: "ready" },
    key: { from: "none" },
    used_by: expect.arrayContaining([{ id: run.demo.id, name: "Mara" }]) as unknown,
  });
  expect((await found(browser, "visavis-slt"))?.kind).toBe("voice");
});

describe("a key", () => {
  test("is stored and never answered; it stays when something else changes", async ({ run, browser }) => {
    const made = await jsonOf(put(browser, { key: { value: secret } }));
    const address = "https://llm.example/v1";
    expect(made).toMatchObject({ address, model: "m1", key: { from: "stored" } });
    await jsonOf(put(browser, withModel("m2")));
    const row = await run.store.catalogue.row("llm_type", run.organizationId, "house");
    expect(row?.engine).toMatchObject({ model: "m2", api_key: secret });
    const log = await (await browser.get("/api/console/audit-log/")).text();
    expect(log).toContain("putEngine");
    const listed = await (await browser.get(list)).text();
    expect(JSON.stringify(made) + log + listed).not.toContain(secret);
  });

  test("never goes to another address than the one that it was given for", async ({ browser }) => {
    await jsonOf(put(browser, { key: { value: secret } }));
    expect(await refused(put(browser, { fields: stranger }))).toEqual(keyMissing);
    await jsonOf(put(browser, { fields: stranger, key: { none: true } }));
  });

  test("that is a tool server's header does not either", async ({ browser }) => {
    const server = { url: "https://mcp.example/", transport_protocol: "streamable_http" };
    const made = put(browser, { fields: server, key: { value: `Bearer ${secret}` } }, `${list}tools/shop/`);
    const own = `${list}tools/${(await jsonOf<Engine>(made)).id}/`;
    const elsewhere = { ...server, url: "https://stranger.example/" };
    expect(await refused(put(browser, { fields: elsewhere }, own))).toEqual(keyMissing);
    await jsonOf(put(browser, { fields: { ...server, url: "https://mcp.example/v2" } }, own));
    await jsonOf(put(browser, { fields: elsewhere, key: { none: true } }, own));
  });

  test("in a variable that is not set makes the engine unavailable, and its name says why", async () => {
    const variable = "GROQ_API_KEY";
    const browser = await owner(await runConsole({}, { languageModel: () => null }));
    expect(await jsonOf(put(browser, { key: { variable } }))).toMatchObject({
      ...{ state: "unavailable", reason: expect.stringContaining(variable) as string },
      key: { from: "environment", variable, is_set: false },
    });
  });

  test("is no other variable of the server; another organization gets none, nor an address in private networks", async ({
    run,
    browser,
  }) => {
    const variable = "AWS_SECRET_ACCESS_KEY";
    const told = expect.stringMatching(/AWS_SECRET_ACCESS_KEY is none of the variables.*"key"/s) as string;
    expect(await refused(put(browser, { key: { variable } }))).toEqual([400, told]);
    await addOtherOrganization(run, "vv_other_organization_key");
    const environment = { GROQ_API_KEY: "theirs" };
    const machine = { environment, allowPrivateAddresses: false, publicFolder: "" };
    const parts = { store: run.store, installation: { machine } } as unknown as EngineParts;
    const putOther = (wanted: Partial<EnginePut>) =>
      putEngine(parts, "other", { kind: "model", id: "house" }, { fields, ...wanted });
    const putEngineOf = (more: object) => putOther({ fields: { ...fields, engine: { ...engine, ...more } } });
    const stored = "store the key instead";
    await expect(putOther({ key: { variable: "GROQ_API_KEY" } })).rejects.toThrow(stored);
    const ours = "Private networks are for the organization that runs the server";
    await expect(putEngineOf({ allow_private: true })).rejects.toThrow(ours);
    const body = { errors: [{ attr: "fields.engine.base_url" }] };
    for (const base_url of ["http://127.0.0.1:11434/v1", "https://10.0.0.1/v1", "http://localhost/v1"])
      await expect(putEngineOf({ base_url })).rejects.toMatchObject({ body });
  });
});

describe("two editors", () => {
  const save = (browser: Browser, model: string, revision?: number) =>
    put(browser, { ...withModel(model), revision });

  test("of the same engine: the second one gets a conflict with what the first one saved", async ({
    browser,
  }) => {
    expect(await jsonOf(save(browser, "m1", 0))).toMatchObject({ revision: 1 });
    expect(await jsonOf(save(browser, "m2", 1))).toMatchObject({ revision: 2 });
    const conflict = { errors: [{ code: "conflict" }], current: { model: "m2", revision: 2 } };
    for (const revision of [1, 0]) {
      const late = await save(browser, "m3", revision);
      expect([late.status, await late.json()]).toMatchObject([409, conflict]);
    }
    // Programs that send none replace what others saved, as before.
    expect(await jsonOf(save(browser, "m4"))).toMatchObject({ model: "m4", revision: 3 });
    await browser.send("DELETE", house);
    expect(await statusOf(save(browser, "m5", 3))).toBe(404);
  });

  test("at the same time: one change is stored", async ({ browser }) => {
    await jsonOf(put(browser));
    const both = ["m2", "m3"].map((model) => statusOf(save(browser, model, 1)));
    expect((await Promise.all(both)).toSorted()).toEqual([200, 409]);
  });
});

test.for([{ type: "command", command: ["sh", "-c", "id"] }, { type: "command" }])(
  "programs and files of the server cannot be named in the console: %j",
  async (command, { browser }) => {
    const own = { name: "own", service: "onpremise", engine: command };
    expect(await statusOf(put(browser, { fields: own }, `${list}recognizer/own/`))).toBe(400);
  },
);

test("an engine is tested with a real call, and one that an avatar uses cannot be removed", async ({
  browser,
}) => {
  const builtIn = `${list}model/visavis-retrieval/`;
  const tested = await jsonOf<EngineTest>(browser.send("POST", `${builtIn}test/`));
  expect(tested).toMatchObject({ outcome: "ok", remedy: null });
  expect(tested.said).not.toBe("");
  expect(await found(browser, "visavis-retrieval")).toMatchObject({ state: "working", last_test: tested });
  const remove = (path: string) => statusOf(browser.send("DELETE", path));
  expect(await remove(builtIn)).toBe(400);
  await jsonOf(put(browser));
  expect([await remove(house), await remove(house)]).toEqual([204, 404]);
});

test("calls that fail make an engine failing, and one that succeeds makes it work again", async () => {
  let fails = true;
  const said = { status: "success", type: "message", role: "assistant", content: "Yes." } as const;
  const languageModel = () => ({
    // oxlint-disable-next-line typescript/require-await -- models answer asynchronously
    async *answer() {
      yield fails ? { status: "error" as const, reason: "Away." } : said;
    },
  });
  const run = await runConsole({}, { languageModel });
  const browser = await owner(run);
  const ask = async (service: RunningService) => {
    const session = await service.newSession({ extra_data: { context_id: "ctx_demo" } });
    await askForEvents(service, session, "Hello");
    await service.event(session, "SESSION_END");
  };
  await ask(run);
  await ask(run);
  const failing = { state: "failing", since: "2026-01-01T00:00:00.000Z" };
  expect(await found(browser, "visavis-retrieval")).toMatchObject(failing);
  fails = false;
  await ask(run);
  expect(await found(browser, "visavis-retrieval")).toMatchObject({ state: "working", since: null });
});

test("what is at an address where nobody answers is said of its field", async ({ browser }) => {
  const answer = browser.send("POST", "/api/console/engine-models/", { base_url: "http://127.0.0.1:9/v1" });
  expect(await refused(answer)).toEqual([400, expect.stringContaining("base_url")]);
});

test("another organization's engines are not seen", async ({ run, browser }) => {
  await addOtherOrganization(run, "vv_other");
  await jsonOf(put(browser));
  expect(await run.store.catalogue.row("llm_type", "other", "house")).toBeNull();
});

test("models that run here are listed; one that cannot be downloaded says why, and can be tried again", async ({
  browser,
}) => {
  const models = () => jsonOf<OfflineModel[]>(browser.get("/api/console/models/"));
  const model = (await models()).find(({ kind }) => kind === "voice")!;
  expect(model).toMatchObject({ is_installed: false, installation: null });
  const install = (name: string) => browser.send("POST", `/api/console/models/${name}/install/`);
  await jsonOf(install(model.name));
  const installation = async () => (await models()).find(({ name }) => name === model.name)!.installation;
  await expect.poll(async () => (await installation())?.state).toBe("failed");
  expect((await installation())?.detail).not.toBe("");
  expect(await statusOf(install("unknown"))).toBe(400);
});
