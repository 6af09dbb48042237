import fc from "fast-check";
import { expect } from "vitest";
import type { EmbedContextAnswer } from "../../../src/protocol/settings/embed-context.ts";
import type {
  SessionTemplate,
  SessionTemplateRecord,
} from "../../../src/protocol/session/session-template.ts";
import { filled, jsonOf } from "../answers.ts";
import { apiKey, noRateLimits, type RunningService, settingsWith } from "../service-fixture.ts";
import { runFullCatalogue } from "./full-catalogue.ts";
import { testWith } from "./shared-service.ts";

const settings = settingsWith({ rateLimits: noRateLimits });
const test = testWith((given) => runFullCatalogue({ ...given, settings }));

type Fields = Record<string, unknown>;

const words = (text: string): string[] => text.trim().split(/\s+/);

/** The lists of the interface specification (Resources and their fields), independent of the schemas. */
const nested = {
  prompt: words("name prompt_id system_prompt description require_document intro_message"),
  document:
    words(`document_id title file processed processed_v2 created_at updated_at description search_count
    ef_search`),
  llm_type: words("name service"),
  tts_type: words("name service streamable model voice voice_settings style voice_extra_data"),
  text_normalization_config:
    words(`textnormalizationconfig_id name pre_hook_url post_hook_url created_at hook_enabled
    pre_hook_args post_hook_args`),
  stt_type: words("name service options"),
  model_style: words("name model model_files style files configs model_file file platform_type"),
  agent_config: words("agentconfig_id name created_at updated_at config"),
  interactive_agent_config: words("interactiveagentconfig_id name description intro_message organization"),
  background_image: words("backgroundimage_id title image created_at"),
  mcp_server:
    words(`mcpserver_id name organization url description auth_header transport_protocol server_timeout_sec
    extra_data`),
};

const requestFields = words(`capability prompt document llm_type tts_type text_normalization_config
  text_normalization_locale stt_type stt_text_normalization_config stt_text_normalization_locale model_style agent
  agent_config interactive_agent_config padding_left padding_top padding_height background_image extra_data mcp_servers`);

const retrievedFields = words(`session_id client_sdp server_sdp prompt llm_type model_style tts_type
  text_normalization_config text_normalization_locale stt_type stt_text_normalization_config
  stt_text_normalization_locale ice_servers status termination_reason duration_sec created_at session_acls padding_left
  padding_top padding_height background_image extra_data capability agent_config interactive_agent_config mcp_servers
  document`);

const templateFields = words(`sessiontemplate_id name prompt capability document llm_type tts_type
  text_normalization_config stt_type stt_text_normalization_config model_style agent_config interactive_agent_config
  background_image mcp_servers created_at last_used_at description text_normalization_locale
  stt_text_normalization_locale agent padding_left padding_top padding_height extra_data`);

/** A create with every field that can be combined with a prompt. */
const whole = {
  capability: ["STF_WEBRTC", "LLM", "TTS", "STT"],
  prompt: "p1",
  document: "d1",
  llm_type: "visavis-retrieval",
  tts_type: "visavis-slt",
  text_normalization_config: "n1",
  text_normalization_locale: "en",
  stt_type: "ears",
  stt_text_normalization_config: "n1",
  stt_text_normalization_locale: "de",
  model_style: "mina",
  agent: "free form",
  agent_config: "a1",
  padding_left: -0.5,
  padding_top: 0.25,
  padding_height: 2,
  background_image: "room",
  mcp_servers: ["orders"],
};
const extra_data = { from: ["a", null] };

const namesOf = (object: unknown): string[] => Object.keys(object as Fields).toSorted();

function expectNested(object: Fields, kinds: readonly (keyof typeof nested)[]): void {
  for (const kind of kinds) expect(namesOf(object[kind]), kind).toEqual(nested[kind].toSorted());
  const normalization = nested.text_normalization_config.toSorted();
  expect(namesOf(object["stt_text_normalization_config"])).toEqual(normalization);
  for (const capability of object["capability"] as unknown[])
    expect(namesOf(capability)).toEqual(["description", "name"]);
}

const create = (run: RunningService, body: object): Promise<Fields> =>
  jsonOf(
    body instanceof FormData || body instanceof URLSearchParams
      ? run.request("/api/v1/session/", { method: "POST", body, headers: { "XP-API-KEY": apiKey } })
      : run.send("POST", "/api/v1/session/", body),
  );

test("the answer to a create has each field as it was sent, and the session's own", async ({ run }) => {
  const sent = { ...whole, extra_data };
  const { session_id, created_at, status, ...repeated } = await create(run, sent);
  expect(repeated).toEqual({ ...sent, interactive_agent_config: null });
  expect(namesOf(repeated)).toEqual(requestFields.toSorted());
  expect([typeof session_id, created_at, status]).toEqual(["string", "2026-01-01T00:00:00.000Z", "CREATED"]);
  expect((await run.store.sessions.detail(session_id as string))?.request).toMatchObject(sent);
});

test.for([
  ["application/x-www-form-urlencoded", () => new URLSearchParams()],
  ["multipart/form-data", () => new FormData()],
] as const)("%s carries every field as JSON does, lists by repeated keys", async ([, emptyForm], { run }) => {
  const fields = { ...whole, mcp_servers: ["orders", "m1"] };
  const form = filled(emptyForm(), { ...fields, extra_data: JSON.stringify(extra_data) });
  expect(await create(run, form)).toMatchObject({ ...fields, extra_data });
});

test("a session is retrieved with every field and every nested object of the specification", async ({
  run,
}) => {
  const { session_id } = await create(run, { ...whole, extra_data });
  const path = `/api/v1/session/${String(session_id)}/`;
  const session = await jsonOf<Fields>(run.get(path));
  expect(namesOf(session)).toEqual(retrievedFields.toSorted());
  const { document: _apart, interactive_agent_config: _other, mcp_server: _list, ...objects } = nested;
  expectNested(session, Object.keys(objects) as (keyof typeof objects)[]);
  const { text_normalization_locale, stt_text_normalization_locale, padding_left, padding_top } = whole;
  expect(session).toMatchObject({
    ...{ document: "d1", session_acls: [], termination_reason: null, duration_sec: 0, client_sdp: null },
    ...{ server_sdp: null, interactive_agent_config: null, stt_type: { options: { beam: 4 } } },
    prompt: { require_document: true, intro_message: "Welcome" },
    text_normalization_config: { pre_hook_args: { a: 1 }, post_hook_args: [2] },
    ...{ text_normalization_locale, stt_text_normalization_locale, padding_left, padding_top, extra_data },
    padding_height: 2,
  });
  const names = (session["capability"] as { name: string }[]).map(({ name }) => name);
  expect(names).toEqual(whole.capability);
  const servers = session["mcp_servers"] as Fields[];
  expect(servers.map(namesOf)).toEqual([nested.mcp_server.toSorted()]);
  expect(namesOf(await jsonOf(run.request(path)))).toEqual(retrievedFields.toSorted());
});

test("an interactive agent is retrieved with only its discovery fields", async ({ run }) => {
  const created = await create(run, { capability: ["LLM"], interactive_agent_config: "pliac-1" });
  expect(created).toMatchObject({ interactive_agent_config: "pliac-1", prompt: null, llm_type: null });
  const session = await jsonOf<Fields>(run.get(`/api/v1/session/${String(created["session_id"])}/`));
  const agent = session["interactive_agent_config"];
  expect(namesOf(agent)).toEqual(nested.interactive_agent_config.toSorted());
  expect(JSON.stringify(session)).not.toContain("canary");
});

test("a session template is retrieved with every field and every nested object", async ({ run }) => {
  const template = await jsonOf<Fields>(run.get("/api/v1/session_template/t1/"));
  expect(namesOf(template)).toEqual(templateFields.toSorted());
  const { mcp_server, ...objects } = nested;
  expectNested(template, Object.keys(objects) as (keyof typeof objects)[]);
  expect((template["mcp_servers"] as unknown[]).map(namesOf)).toEqual([mcp_server.toSorted()]);
});

test.for<[path: string, fields: string[]]>([
  ["prompt", nested.prompt],
  ["document", nested.document],
  ["background_image", nested.background_image],
  ["session_template", templateFields],
  ["settings/modelstyle", nested.model_style],
  ["settings/tts_type", nested.tts_type],
  ["settings/stt_type", nested.stt_type],
  ["settings/llm_type", nested.llm_type],
  ["settings/mcp_type", nested.mcp_server],
  ["settings/text_normalization_config", nested.text_normalization_config],
])("%s lists entries with the specification's fields", async ([path, fields], { run }) => {
  const list = await jsonOf<unknown[]>(run.get(`/api/v1/${path}/`));
  expect(list).not.toEqual([]);
  for (const entry of list) expect(namesOf(entry)).toEqual(fields.toSorted());
});

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
    ...{ sessiontemplate_id: "sent-back", name: "Sent back", description: "", last_used_at: null },
    ...{ created_at: "2026-01-01T00:00:00.000Z", padding_left: 0, padding_top: 0, padding_height: 1 },
    ...fields,
    capability: webrtc ? (["STF_WEBRTC"] as const).slice() : (["LLM"] as const).slice(),
    tts_type: webrtc ? "visavis-slt" : fields.tts_type,
    model_style: webrtc ? "mina" : null,
    prompt: isOutside ? null : "p1",
    document: isOutside ? null : "d1",
    llm_type: isOutside ? null : "visavis-retrieval",
    interactive_agent_config: isOutside ? "pliac-1" : null,
  }));

async function answered(run: RunningService, record: SessionTemplateRecord): Promise<SessionTemplate> {
  const { sessiontemplate_id: id, name } = record;
  await run.put("session_template", id, record, null, { name, organizationId: run.organizationId });
  return jsonOf(run.get(`/api/v1/session_template/${id}/`));
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

function asForm(template: SessionTemplate): FormData {
  const { extra_data: extra, ...fields } = byIdentifiers(template);
  const texts = Object.entries(fields).map(([name, value]) => [name, value ?? ""] as const);
  return filled(new FormData(), { ...Object.fromEntries(texts), extra_data: JSON.stringify(extra) });
}

const ownOfTemplates = ["sessiontemplate_id", "name", "description", "created_at", "last_used_at"];

test.for<[how: string, sentBack: (template: SessionTemplate) => object]>([
  ["as it is, objects and all", (template) => ({ ...template })],
  ["by identifiers, null where there is none", byIdentifiers],
  ["as a form, empty where there is none", asForm],
])("a template's answer makes a session %s", async ([, sentBack], { run }) => {
  await fc.assert(
    fc.asyncProperty(templates, async (record) => {
      const answer = await create(run, sentBack(await answered(run, record)));
      const expected = Object.entries(record).filter(([name]) => !ownOfTemplates.includes(name));
      expect(answer).toMatchObject(Object.fromEntries(expected));
    }),
    { numRuns: 60 },
  );
});

test("null for an optional field of a create means that the field was left out", async ({ run }) => {
  const required = { capability: ["TTS"], tts_type: "visavis-slt" };
  const plain = await create(run, required);
  const optional = Object.keys(plain).filter(
    (name) => !["session_id", "created_at", "status", ...Object.keys(required)].includes(name),
  );
  expect(optional.length).toBeGreaterThan(15);
  const nulls = Object.fromEntries(optional.map((name) => [name, null]));
  const answer = await create(run, { ...nulls, ...required });
  expect(answer).toEqual({ ...plain, session_id: expect.any(String) });
});

test("null resets a context's setting, and stays in embed_config, which is any JSON; an answer can be sent back unchanged", async ({
  own: run,
}) => {
  const reset = { greeting: "", instructions: "", max_session_sec: 0, is_active: true };
  const nulls = Object.fromEntries(Object.keys(reset).map((name) => [name, null]));
  expect(await jsonOf(run.configure(null, nulls))).toMatchObject({ ...reset, embed_config: {} });
  const embed_config = {
    ...{ prompt: null, llm_type: "visavis-retrieval", stage: null, own: { kept: null } },
    ui: { avatar_name: null, theme: "dark", suggestions: ["One"], texts: null },
    limits: { minutes_per_day: null },
  };
  const answer = await jsonOf<EmbedContextAnswer>(run.configure(embed_config));
  expect(answer.embed_config).toEqual(embed_config);
  const stored = await run.store.contexts.byUuid(run.organizationId, run.demo.id);
  expect(stored?.config).toMatchObject({
    ...{ llm_type: "visavis-retrieval", ui: { theme: "dark", suggestions: ["One"] }, limits: {} },
  });
  const again = { ...answer, revision: expect.any(Number), updated_at: expect.any(String) };
  expect(await jsonOf(run.configure(embed_config, answer))).toEqual(again);
});

test.for([
  ["/api/v1/settings/modelstyle/", "platform_type="],
  ["/api/console/b2c/contexts/", "context_id="],
  ["/api/speech/v2/voices", "page_size=&next_page_token=&search=&sort=&sort_direction="],
  ["/api/speech/v2/voices", "include_total_count=&voice_ids="],
])("empty query parameters count as left out: %s?%s", async ([path, query], { run }) => {
  expect(await jsonOf(run.get(`${path}?${query}`))).toEqual(await jsonOf(run.get(path!)));
});
