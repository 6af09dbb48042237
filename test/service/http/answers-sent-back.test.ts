import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type {
  SessionTemplate,
  SessionTemplateRecord,
} from "../../../src/protocol/session/session-template.ts";
import { defaultServiceSettings } from "../../../src/service/service-settings.ts";
import type { SpeechRecognizer } from "../../../src/service/speech/speech-recognizer.ts";
import { apiKey, type RunningService, runService } from "../service-fixture.ts";
import { putFullCatalogue } from "./full-catalogue.ts";

type Fields = Record<string, unknown>;

const plenty = { reads: 1e9, writes: 1e9 };
const recognizer: SpeechRecognizer = {
  recognize: () => Promise.resolve({ text: "", locale: null }),
  close: () => Promise.resolve(),
};

async function run(): Promise<RunningService> {
  const service = await runService({
    recognizer: () => recognizer,
    settings: {
      ...defaultServiceSettings,
      publicUrl: "https://relay.example",
      publicFolder: "/srv/public",
      rateLimits: { key: plenty, session: plenty, address: plenty, loginsPerMinute: 5 },
    },
  });
  await putFullCatalogue(service);
  return service;
}

const orNull = <Value>(value: Value): fc.Arbitrary<Value | null> => fc.constantFrom(value, null);

/** Complete templates in every shape: each optional field is present or null. */
const templates: fc.Arbitrary<SessionTemplateRecord> = fc
  .record({
    webrtc: fc.boolean(),
    agent: orNull("older"),
    agent_config: orNull("a1"),
    text_normalization_config: orNull("n1"),
    text_normalization_locale: orNull("en"),
    stt_type: orNull("ears"),
    stt_text_normalization_config: orNull("n1"),
    stt_text_normalization_locale: orNull("de"),
    background_image: orNull("room"),
    tts_type: orNull("visavis-slt"),
    isOutside: fc.boolean(),
    mcp_servers: fc.constantFrom<string[]>([], ["orders"]),
    extra_data: fc.constantFrom<unknown>(null, { floor: null }, [1]),
  })
  .map(({ webrtc, isOutside, ...fields }) => ({
    sessiontemplate_id: "sent-back",
    name: "Sent back",
    description: "",
    created_at: "2026-01-01T00:00:00.000Z",
    last_used_at: null,
    padding_left: 0,
    padding_top: 0,
    padding_height: 1,
    ...fields,
    capability: webrtc ? (["STF_WEBRTC"] as const).slice() : (["LLM"] as const).slice(),
    tts_type: webrtc ? "visavis-slt" : fields.tts_type,
    model_style: webrtc ? "mina" : null,
    prompt: isOutside ? null : "p1",
    document: isOutside ? null : "d1",
    llm_type: isOutside ? null : "visavis-retrieval",
    interactive_agent_config: isOutside ? "pliac-1" : null,
  }));

async function answered(service: RunningService, record: SessionTemplateRecord): Promise<SessionTemplate> {
  const { organizationId } = service;
  const { sessiontemplate_id: id, name } = record;
  const kind = "session_template";
  await service.store.catalogue.put({ kind, id, name, organizationId, createdAtMs: 0, body: record });
  return (await (await service.get(`/api/v1/session_template/${id}/`)).json()) as SessionTemplate;
}

/** The create body that a client makes from a template: identifiers in place of objects, including nulls. */
const byIdentifiers = (template: SessionTemplate) => ({
  ...template,
  capability: template.capability.map(({ name }) => name),
  prompt: template.prompt?.prompt_id ?? null,
  document: template.document?.document_id ?? null,
  llm_type: template.llm_type?.name ?? null,
  tts_type: template.tts_type?.name ?? null,
  text_normalization_config: template.text_normalization_config?.textnormalizationconfig_id ?? null,
  stt_type: template.stt_type?.name ?? null,
  stt_text_normalization_config: template.stt_text_normalization_config?.textnormalizationconfig_id ?? null,
  model_style: template.model_style?.name ?? null,
  agent_config: template.agent_config?.agentconfig_id ?? null,
  interactive_agent_config: template.interactive_agent_config?.interactiveagentconfig_id ?? null,
  background_image: template.background_image?.backgroundimage_id ?? null,
  mcp_servers: template.mcp_servers.map(({ name }) => name),
});

function asForm(fields: Fields): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields))
    if (name === "extra_data") form.append(name, JSON.stringify(value));
    else for (const one of [value].flat()) form.append(name, one === null ? "" : `${one as string | number}`);
  return form;
}

async function created(service: RunningService, body: FormData | Fields): Promise<Fields> {
  const response =
    body instanceof FormData
      ? await service.request("/api/v1/session/", {
          method: "POST",
          body,
          headers: { "ServicePlatform-APIKey": apiKey },
        })
      : await service.send("POST", "/api/v1/session/", body);
  const answer = (await response.json()) as Fields;
  expect([response.status, answer]).toEqual([201, expect.anything()]);
  return answer;
}

const ownOfTemplates = ["sessiontemplate_id", "name", "description", "created_at", "last_used_at"];

describe("a template's answer makes a session", () => {
  test.each([
    ["as it is, objects and all", (template: SessionTemplate) => ({ ...template })],
    ["by identifiers, null where there is none", byIdentifiers],
    ["as a form, empty where there is none", (template: SessionTemplate) => asForm(byIdentifiers(template))],
  ])("%s", async (_, sentBack) => {
    const service = await run();
    await fc.assert(
      fc.asyncProperty(templates, async (record) => {
        const answer = await created(service, sentBack(await answered(service, record)));
        const expected = Object.entries(record).filter(([name]) => !ownOfTemplates.includes(name));
        expect(answer).toMatchObject(Object.fromEntries(expected));
      }),
      { numRuns: 60 },
    );
  });
});

test("null for an optional field of a create means that the field was left out", async () => {
  const service = await run();
  const required = { capability: ["TTS"], tts_type: "visavis-slt" };
  const optional = Object.keys(await created(service, required)).filter(
    (name) => !["session_id", "created_at", "status", ...Object.keys(required)].includes(name),
  );
  expect(optional.length).toBeGreaterThan(15);
  const nulls = Object.fromEntries(optional.map((name) => [name, null]));
  const plain = await created(service, required);
  expect(await created(service, { ...nulls, ...required })).toEqual({
    ...plain,
    session_id: expect.any(String),
  });
  const refused = await service.send("POST", "/api/v1/session/", { capability: ["TTS"], tts_type: null });
  expect(await refused.json()).toMatchObject({ errors: [{ code: "required", attr: "tts_type" }] });
});

test("null resets a context's setting, and stays in embed_config, which is any JSON; an answer can be sent back unchanged", async () => {
  const service = await run();
  const path = `/api/console/b2c/contexts/${service.demo.id}/`;
  const put = async (fields: Fields): Promise<Fields> => {
    const response = await service.send("PUT", path, fields);
    const answer = (await response.json()) as Fields;
    expect([response.status, answer]).toEqual([200, expect.anything()]);
    return answer;
  };
  const needed = { name: "Shop", tts_type: "visavis-slt", model_style: "mina" };
  const reset = { greeting: "", instructions: "", max_session_sec: 0, is_active: true, embed_config: {} };
  const nulls = Object.fromEntries(Object.keys(reset).map((name) => [name, null]));
  expect(await put({ ...needed, ...nulls })).toMatchObject(reset);
  const settings = {
    prompt: null,
    llm_type: "visavis-retrieval",
    stage: null,
    ui: { avatar_name: null, theme: "dark", suggestions: ["One"], texts: null },
    limits: { minutes_per_day: null },
    own: { kept: null },
  };
  const answer = await put({ ...needed, embed_config: settings });
  expect(answer["embed_config"]).toEqual(settings);
  expect(
    (await service.store.contexts.byUuid(service.demo.organizationId, service.demo.id))?.config,
  ).toMatchObject({
    llm_type: "visavis-retrieval",
    ui: { theme: "dark", suggestions: ["One"] },
    limits: {},
  });
  const again = { ...answer, revision: expect.any(Number), updated_at: expect.any(String) };
  expect(await put(answer)).toEqual(again);
});

test("empty query parameters count as left out", async () => {
  const service = await run();
  const lists: [string, string][] = [
    ["/api/v1/settings/modelstyle/", "platform_type="],
    ["/api/console/b2c/contexts/", "context_id="],
    [
      "/api/speech/v2/voices",
      "page_size=&next_page_token=&search=&sort=&sort_direction=&include_total_count=&voice_ids=",
    ],
  ];
  for (const [path, query] of lists) {
    const plain: unknown = await (await service.get(path)).json();
    const response = await service.get(`${path}?${query}`);
    expect([response.status, await response.json()]).toEqual([200, plain]);
  }
});
