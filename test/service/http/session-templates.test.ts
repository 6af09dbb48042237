import { expect, test } from "vitest";
import * as z from "zod";
import {
  type SessionTemplate,
  type SessionTemplateRecord,
  sessionTemplateSchema,
} from "../../../src/protocol/session/session-template.ts";
import { namesNothing } from "../../../src/service/administration/catalogue/catalogue-table.ts";
import { type RunningService, runService } from "../service-fixture.ts";

const path = "/api/v1/session_template/";

const template: SessionTemplateRecord = {
  sessiontemplate_id: "t1",
  name: "Shop floor",
  description: "For the showroom's screen",
  created_at: "2026-01-01T00:00:00.000Z",
  last_used_at: null,
  capability: ["STF_WEBRTC", "STT"],
  ...namesNothing,
  prompt: "p1",
  llm_type: "visavis-retrieval",
  tts_type: "visavis-slt",
  text_normalization_locale: "en",
  model_style: "mina",
  background_image: "room",
  mcp_servers: ["gone"],
  padding_left: 0.1,
  padding_top: 0,
  padding_height: 1,
  extra_data: { floor: 2 },
};

async function keep(run: RunningService, organizationId: string): Promise<void> {
  await run.store.catalogue.put({
    kind: "session_template",
    id: "t1",
    name: template.name,
    organizationId,
    createdAtMs: 0,
    body: template,
  });
  const prompt_id = "p1";
  const body = { prompt_id, name: "P", system_prompt: "S", description: "", require_document: false };
  await run.store.catalogue.put({
    kind: "prompt",
    id: prompt_id,
    name: "P",
    organizationId,
    createdAtMs: 0,
    body: { ...body, intro_message: "Hi" },
  });
}

test("a template is returned with the current state of every object that it names", async () => {
  const run = await runService();
  await keep(run, run.organizationId);
  const response = await run.get(`${path}t1/`);
  const read = sessionTemplateSchema.parse(await response.json());
  expect(read).toMatchObject({
    sessiontemplate_id: "t1",
    name: "Shop floor",
    description: "For the showroom's screen",
    last_used_at: null,
    prompt: { prompt_id: "p1", intro_message: "Hi" },
    llm_type: { name: "visavis-retrieval", service: "visavis" },
    tts_type: { name: "visavis-slt", voice: "slt" },
    model_style: { name: "mina", file: "https://relay.example/characters/mina-poster.webp" },
    background_image: { backgroundimage_id: "room", image: "https://relay.example/backgrounds/room.webp" },
    document: null,
    mcp_servers: [],
    text_normalization_locale: "en",
    padding_left: 0.1,
    extra_data: { floor: 2 },
  });
  expect(read.capability.map(({ name }) => name)).toEqual(["STF_WEBRTC", "STT"]);
  expect(read.capability[0]?.description).not.toBe("");
  expect(await (await run.get(path)).json()).toEqual([
    expect.objectContaining({ sessiontemplate_id: "visavis-avatar" }),
    read,
  ]);
});

test("templates of another organization, unknown templates and calls without a key are refused", async () => {
  const run = await runService();
  await run.store.organizations.insert({ id: "other", name: "Other", createdAtMs: Date.UTC(2027, 0, 1) });
  await keep(run, "other");
  expect((await run.get(`${path}t1/`)).status).toBe(404);
  expect(await (await run.get(path)).json()).toMatchObject([{ sessiontemplate_id: "visavis-avatar" }]);
  expect((await run.request(`${path}t1/`)).status).toBe(401);
});

test("a session that is created from a template's response notes when the template was used last", async () => {
  const run = await runService();
  await keep(run, run.organizationId);
  const read = async () => sessionTemplateSchema.parse(await (await run.get(`${path}t1/`)).json());
  const before = await read();
  run.pass(90);
  const response = await run.send("POST", "/api/v1/session/", {
    ...before,
    stt_type: null,
    capability: ["STF_WEBRTC"],
  });
  expect(response.status).toBe(201);
  expect(await response.json()).not.toHaveProperty("sessiontemplate_id");
  expect(await read()).toEqual({ ...before, last_used_at: "2026-01-01T00:01:30.000Z" });
});

/** What clients send that read a template's capabilities: the type of a part only if the part is listed. */
function sentForCapabilities(template: SessionTemplate): Record<string, unknown> {
  const listed = template.capability.map(({ name }) => name);
  return {
    capability: listed,
    prompt: template.prompt?.prompt_id,
    model_style: template.model_style?.name,
    ...(listed.includes("LLM") && { llm_type: template.llm_type?.name }),
    ...(listed.includes("TTS") && { tts_type: template.tts_type?.name }),
    ...(listed.includes("STT") && { stt_type: template.stt_type?.name }),
  };
}

test.each([
  ["with a recognizer", ["STF_WEBRTC", "LLM", "TTS", "STT"]],
  ["without one", ["STF_WEBRTC", "LLM", "TTS"]],
])("clients that read capabilities can use the first template, %s", async (machine, capabilities) => {
  const isInstalled = machine === "with a recognizer";
  const recognizer = {
    recognize: () => Promise.resolve({ text: "", locale: null }),
    close: () => Promise.resolve(),
  };
  const run = await runService({ recognizer: () => (isInstalled ? recognizer : null) });
  const [template] = z.array(sessionTemplateSchema).parse(await (await run.get(path)).json());
  expect(template?.capability.map(({ name }) => name)).toEqual(capabilities);
  const created = await run.send("POST", "/api/v1/session/", sentForCapabilities(template!));
  expect([created.status, await created.json()]).toEqual([
    201,
    expect.objectContaining({ capability: capabilities }),
  ]);
  expect((await run.send("POST", "/api/v1/session/", template)).status).toBe(201);
});

test.each([7, "", "unknown", null, ["t1"], "\u{1f600}"])(
  "a template that does not exist (%j) is ignored in a create",
  async (sessiontemplate_id) => {
    const run = await runService();
    const body = { capability: ["TTS"], tts_type: "visavis-slt", sessiontemplate_id };
    expect((await run.send("POST", "/api/v1/session/", body)).status).toBe(201);
  },
);

test("a session that is refused notes no use of its template", async () => {
  const run = await runService();
  await keep(run, run.organizationId);
  await run.store.organizations.setQuotas(run.organizationId, { activeSessions: 0 });
  const read = async () => sessionTemplateSchema.parse(await (await run.get(`${path}t1/`)).json());
  const body = { ...(await read()), stt_type: null, capability: ["STF_WEBRTC"] };
  expect((await run.send("POST", "/api/v1/session/", body)).status).toBe(403);
  expect((await read()).last_used_at).toBeNull();
});
