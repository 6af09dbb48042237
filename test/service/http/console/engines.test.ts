import { describe, expect, test } from "vitest";
import {
  engineConflictSchema,
  type Engine,
  type EnginePut,
  type EngineTest,
  type OfflineModel,
} from "../../../../src/protocol/console/engines.ts";
import { putEngine, type EngineParts } from "../../../../src/service/administration/engines/engines.ts";
import { addOtherOrganization } from "../../service-fixture.ts";
import { jsonOf, owner, runConsole } from "./console-fixture.ts";

const list = "/api/console/engines/";
const secret = "canary-secret-key";
const house = `${list}model/house/`;
const fields = {
  name: "house",
  service: "onpremise",
  engine: { base_url: "https://llm.example/v1", model: "m1" },
};

describe("engines", () => {
  test("those of a new store are listed with their state and the avatars that use them", async () => {
    const run = await runConsole();
    const engines = await jsonOf<Engine[]>((await owner(run)).get(list));
    expect(engines.find(({ id }) => id === "visavis-retrieval")).toMatchObject({
      kind: "model",
      engine: "retrieval",
      is_built_in: true,
      is_offline: true,
      state: "ready",
      key: { from: "none" },
      used_by: expect.arrayContaining([{ id: run.demo.id, name: "Mara" }]) as unknown,
    });
    expect(engines.some(({ kind }) => kind === "voice")).toBe(true);
  });

  test("a key is stored and never answered; it stays when something else changes", async () => {
    const run = await runConsole();
    const browser = await owner(run);
    const put = await browser.send("PUT", house, { fields, key: { value: secret } });
    expect(await put.clone().text()).not.toContain(secret);
    expect(await jsonOf<Engine>(put)).toMatchObject({
      address: "https://llm.example/v1",
      model: "m1",
      key: { from: "stored" },
    });
    const engine = { base_url: "https://llm.example/v1", model: "m2" };
    await jsonOf(browser.send("PUT", house, { fields: { ...fields, engine } }));
    expect(await (await browser.get(list)).text()).not.toContain(secret);
    const row = await run.store.catalogue.row("llm_type", run.organizationId, "house");
    expect(row?.engine).toMatchObject({ model: "m2", api_key: secret });
    const log = await (await browser.get("/api/console/audit-log/")).text();
    expect(log).toContain("putEngine");
    expect(log).not.toContain(secret);
  });

  test("a key never goes to another address than the one that it was given for", async () => {
    const browser = await owner(await runConsole());
    await jsonOf(browser.send("PUT", house, { fields, key: { value: secret } }));
    const engine = { base_url: "https://stranger.example/v1", model: "m1" };
    const moved = await browser.send("PUT", house, { fields: { ...fields, engine } });
    expect([moved.status, await moved.text()]).toEqual([400, expect.stringContaining('"key"')]);
    await jsonOf(browser.send("PUT", house, { fields: { ...fields, engine }, key: { none: true } }));
  });

  test("of two editors the second one gets a conflict with what the first one saved", async () => {
    const browser = await owner(await runConsole());
    const put = (model: string, revision?: number): Promise<Response> =>
      browser.send("PUT", house, { fields: { ...fields, engine: { ...fields.engine, model } }, revision });
    expect((await jsonOf<Engine>(put("m1", 0))).revision).toBe(1);
    expect((await jsonOf<Engine>(put("m2", 1))).revision).toBe(2);
    for (const late of [put("m3", 1), put("m3", 0)]) {
      const answer = await late;
      expect(answer.status).toBe(409);
      expect(engineConflictSchema.parse(await answer.json())).toMatchObject({
        errors: [{ code: "conflict" }],
        current: { model: "m2", revision: 2 },
      });
    }
    // Programs that send none replace what others saved, as before.
    expect(await jsonOf<Engine>(put("m4"))).toMatchObject({ model: "m4", revision: 3 });
    await browser.send("DELETE", house);
    expect((await put("m5", 3)).status).toBe(404);
  });

  test("of two changes at the same time one is stored", async () => {
    const browser = await owner(await runConsole());
    await jsonOf(browser.send("PUT", house, { fields }));
    const both = await Promise.all(
      ["m2", "m3"].map((model) =>
        browser.send("PUT", house, {
          fields: { ...fields, engine: { ...fields.engine, model } },
          revision: 1,
        }),
      ),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  test("neither does the header of a tool server", async () => {
    const browser = await owner(await runConsole());
    const shop = `${list}tools/shop/`;
    const server = { url: "https://mcp.example/", transport_protocol: "streamable_http" };
    const { id } = await jsonOf<Engine>(
      browser.send("PUT", shop, { fields: server, key: { value: `Bearer ${secret}` } }),
    );
    const own = `${list}tools/${id}/`;
    const elsewhere = { ...server, url: "https://stranger.example/" };
    const moved = await browser.send("PUT", own, { fields: elsewhere });
    expect([moved.status, await moved.text()]).toEqual([400, expect.stringContaining('"key"')]);
    await jsonOf(browser.send("PUT", own, { fields: { ...server, url: "https://mcp.example/v2" } }));
    await jsonOf(browser.send("PUT", own, { fields: elsewhere, key: { none: true } }));
  });

  test("a variable that is not set makes the engine unavailable, and its name says why", async () => {
    const browser = await owner(await runConsole({}, { languageModel: () => null }));
    const put = await jsonOf<Engine>(
      browser.send("PUT", house, { fields, key: { variable: "GROQ_API_KEY" } }),
    );
    expect(put).toMatchObject({
      state: "unavailable",
      reason: expect.stringContaining("GROQ_API_KEY") as string,
      key: { from: "environment", variable: "GROQ_API_KEY", is_set: false },
    });
  });

  test("other variables of the server are no keys; another organization gets none, nor an address in private networks", async () => {
    const run = await runConsole();
    const body = { fields, key: { variable: "AWS_SECRET_ACCESS_KEY" } };
    const refused = await (await owner(run)).send("PUT", house, body);
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringMatching(/AWS_SECRET_ACCESS_KEY is none of the variables.*"key"/s),
    ]);
    await addOtherOrganization(run, "vv_other_organization_key");
    const other = (await run.store.organizations.list()).find(({ id }) => id !== run.organizationId)!;
    const machine = {
      environment: { GROQ_API_KEY: "theirs" },
      allowPrivateAddresses: false,
      publicFolder: "",
    };
    const parts = { store: run.store, installation: { machine } } as unknown as EngineParts;
    const put = (wanted: Partial<EnginePut>) =>
      putEngine(parts, other.id, { kind: "model", id: "house" }, { fields, ...wanted });
    await expect(put({ key: { variable: "GROQ_API_KEY" } })).rejects.toThrow("store the key instead");
    const { engine } = fields;
    await expect(put({ fields: { ...fields, engine: { ...engine, allow_private: true } } })).rejects.toThrow(
      "Private networks are for the organization that runs the server",
    );
    for (const base_url of ["http://127.0.0.1:11434/v1", "https://10.0.0.1/v1", "http://localhost/v1"])
      await expect(put({ fields: { ...fields, engine: { ...engine, base_url } } })).rejects.toMatchObject({
        body: { errors: [{ attr: "fields.engine.base_url" }] },
      });
  });

  test("programs and files of the server cannot be named in the console", async () => {
    const browser = await owner(await runConsole());
    for (const engine of [{ type: "command", command: ["sh", "-c", "id"] }, { type: "command" }]) {
      const answer = await browser.send("PUT", `${list}recognizer/own/`, {
        fields: { name: "own", service: "onpremise", engine },
      });
      expect(answer.status).toBe(400);
    }
  });

  test("an engine is tested with a real call, and one that an avatar uses cannot be removed", async () => {
    const run = await runConsole();
    const browser = await owner(run);
    const tested = await jsonOf<EngineTest>(browser.send("POST", `${list}model/visavis-retrieval/test/`));
    expect(tested).toMatchObject({ outcome: "ok", remedy: null });
    expect(tested.said).not.toBe("");
    const engines = await jsonOf<Engine[]>(browser.get(list));
    expect(engines.find(({ id }) => id === "visavis-retrieval")).toMatchObject({
      state: "working",
      last_test: tested,
    });
    expect((await browser.send("DELETE", `${list}model/visavis-retrieval/`)).status).toBe(400);
    await jsonOf(browser.send("PUT", house, { fields }));
    expect((await browser.send("DELETE", house)).status).toBe(204);
    expect((await browser.send("DELETE", house)).status).toBe(404);
  });

  test("calls that fail make an engine failing, and one that succeeds makes it work again", async () => {
    let fails = true;
    const run = await runConsole(
      {},
      {
        languageModel: () => ({
          // oxlint-disable-next-line typescript/require-await -- models answer asynchronously
          async *answer() {
            if (fails) yield { status: "error" as const, reason: "Away." };
            else
              yield {
                status: "success" as const,
                type: "message" as const,
                role: "assistant" as const,
                content: "Yes.",
              };
          },
        }),
      },
    );
    const browser = await owner(run);
    const ask = async () => {
      const session = await run.newSession({ extra_data: { context_id: "ctx_demo" } });
      const body = { messages: [{ role: "user", content: "Hello" }], tools: [] };
      await (await run.send("POST", `/api/v1/session/${session}/llm/v2/`, body)).text();
      await run.event(session, "SESSION_END");
    };
    const state = async () =>
      (await jsonOf<Engine[]>(browser.get(list))).find(({ id }) => id === "visavis-retrieval");
    await ask();
    await ask();
    expect(await state()).toMatchObject({ state: "failing", since: "2026-01-01T00:00:00.000Z" });
    fails = false;
    await ask();
    expect(await state()).toMatchObject({ state: "working", since: null });
  });

  test("what is at an address where nobody answers is said of its field", async () => {
    const run = await runConsole();
    const query = { base_url: "http://127.0.0.1:9/v1" };
    const answer = await (await owner(run)).send("POST", "/api/console/engine-models/", query);
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining("base_url")]);
  });

  test("another organization's engines are not seen", async () => {
    const run = await runConsole();
    await addOtherOrganization(run, "vv_other");
    const browser = await owner(run);
    await jsonOf(browser.send("PUT", house, { fields }));
    const others = (await run.store.organizations.list()).find(({ id }) => id !== run.organizationId)!;
    expect(await run.store.catalogue.row("llm_type", others.id, "house")).toBeNull();
  });
});

test("models that run here are listed; one that cannot be downloaded says why, and can be tried again", async () => {
  const browser = await owner(await runConsole());
  const models = await jsonOf<OfflineModel[]>(browser.get("/api/console/models/"));
  const model = models.find(({ kind }) => kind === "voice")!;
  expect(model).toMatchObject({ is_installed: false, installation: null });
  await jsonOf(browser.send("POST", `/api/console/models/${model.name}/install/`));
  const installation = async () =>
    (await jsonOf<OfflineModel[]>(browser.get("/api/console/models/"))).find(
      ({ name }) => name === model.name,
    )!.installation;
  await expect.poll(async () => (await installation())?.state).toBe("failed");
  expect((await installation())?.detail).not.toBe("");
  expect((await browser.send("POST", "/api/console/models/unknown/install/")).status).toBe(400);
});
