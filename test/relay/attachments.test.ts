import { expect, test } from "vitest";
import { createLanguageModels } from "../../src/service/language/create-language-models.ts";
import { createOutboundCalls } from "../../src/service/outbound/outbound-calls.ts";
import { silentLog } from "../service/service-fixture.ts";
import { bearer, errorCode, type OpenSession, runRelay, shop, type RunningRelay } from "./relay-fixture.ts";

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

function upload(relay: RunningRelay, { path }: OpenSession, token: string): Promise<Response> {
  const body = new FormData();
  body.append("name", "dot.gif");
  body.append("file", new File([gif], "dot.gif"));
  const headers = { origin: shop, ...bearer(token) };
  return relay.request(`${path}/attachment`, { method: "POST", body, headers });
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
  const [mine, other] = [await relay.open(), await relay.open()];
  const uploaded = await upload(relay, mine, mine.token);
  expect(uploaded.status).toBe(201);
  const { id, type } = (await uploaded.json()) as { id: string; type: string };
  expect(type).toBe("image/gif");
  const file = `${mine.path}/attachment/${id}`;
  const remove = (token: string) =>
    relay.request(file, { method: "DELETE", headers: { origin: shop, ...bearer(token) } });
  expect(await errorCode(await upload(relay, mine, other.token))).toBe("session_lost");
  expect(await errorCode(await remove(other.token))).toBe("session_lost");
  expect((await remove(mine.token)).status).toBe(204);
  const preflight = await relay.request(file, { method: "OPTIONS", headers: { origin: shop } });
  expect(preflight.headers.get("access-control-allow-methods")).toContain("DELETE");
});

test("a refusal of the service reaches the browser with its code and its words", async () => {
  const relay = await run();
  await relay.changeContext(({ embed_config: config }) => void (config.attachments = ["pdf"]));
  const session = await relay.open();
  const refused = await upload(relay, session, session.token);
  expect(refused.status).toBe(400);
  const { errors } = (await refused.json()) as { errors: { code: string; detail: string }[] };
  expect(errors[0]?.detail).toContain("takes no PDFs");
});
