import { expect, test } from "vitest";
import { createLanguageModels } from "../../src/service/language/create-language-models.ts";
import { createOutboundCalls } from "../../src/service/outbound/outbound-calls.ts";
import { silentLog } from "../service/service-fixture.ts";
import { errorCode, runRelay, shop, type RunningRelay } from "./relay-fixture.ts";

const gif = new TextEncoder().encode("GIF89a\x01\x00\x01\x00\x00\x00\x00;");

/** The demo context with a model that takes pictures. */
async function run(): Promise<RunningRelay> {
  const models = createLanguageModels({
    log: silentLog,
    outbound: createOutboundCalls({ allowPrivate: true }),
  });
  const relay = await runRelay({}, { languageModel: (row) => models.model(row) });
  await relay.running.store.catalogue.put({
    kind: "llm_type",
    id: "eyes",
    name: "eyes",
    organizationId: null,
    createdAtMs: 0,
    body: { name: "eyes", service: "onpremise" },
    engine: { base_url: "http://127.0.0.1:9/v1", model: "m1", attachments: ["image"] },
  });
  await relay.changeContext(({ embed_config: config }) => {
    config.llm_type = "eyes";
    config.attachments = ["image", "pdf"];
  });
  return relay;
}

async function open(relay: RunningRelay) {
  const { session, token } = await relay.newSession();
  return { path: `/embed/v1/sessions/${session.session_id}/attachment`, token };
}

function upload(relay: RunningRelay, path: string, token: string): Promise<Response> {
  const body = new FormData();
  body.append("name", "dot.gif");
  body.append("file", new File([gif], "dot.gif"));
  return relay.request(path, {
    method: "POST",
    body,
    headers: { origin: shop, authorization: `Bearer ${token}` },
  });
}

test("browsers are told what may be attached, and nothing where the owner allows nothing", async () => {
  const relay = await run();
  const view = async () => (await (await relay.get("/embed/v1/contexts/ctx_demo")).json()) as object;
  expect(await view()).toMatchObject({ attachments: ["image", "pdf"] });
  await relay.changeContext(({ embed_config: config }) => void (config.attachments = []));
  expect(await view()).not.toHaveProperty("attachments");
});

test("a session's token uploads and removes files of its own session only", async () => {
  const relay = await run();
  const [mine, other] = [await open(relay), await open(relay)];
  const uploaded = await upload(relay, mine.path, mine.token);
  expect(uploaded.status).toBe(201);
  const { id, type } = (await uploaded.json()) as { id: string; type: string };
  expect(type).toBe("image/gif");
  const remove = (path: string, token: string) =>
    relay.request(`${path}/${id}`, {
      method: "DELETE",
      headers: { origin: shop, authorization: `Bearer ${token}` },
    });
  expect(await errorCode(await upload(relay, mine.path, other.token))).toBe("session_lost");
  expect(await errorCode(await remove(mine.path, other.token))).toBe("session_lost");
  expect((await remove(mine.path, mine.token)).status).toBe(204);
  const preflight = await relay.request(`${mine.path}/${id}`, {
    method: "OPTIONS",
    headers: { origin: shop },
  });
  expect(preflight.headers.get("access-control-allow-methods")).toContain("DELETE");
});

test("a refusal of the service reaches the browser with its code and its words", async () => {
  const relay = await run();
  await relay.changeContext(({ embed_config: config }) => void (config.attachments = ["pdf"]));
  const { path, token } = await open(relay);
  const refused = await upload(relay, path, token);
  expect(refused.status).toBe(400);
  const { errors } = (await refused.json()) as { errors: { code: string; detail: string }[] };
  expect(errors[0]?.detail).toContain("takes no PDFs");
});
