import { expect, test } from "vitest";
import type { SpeechRecognizer } from "../../../src/service/speech/speech-recognizer.ts";
import { apiKey, runService } from "../service-fixture.ts";
import type { RunningService } from "../service-fixture.ts";
import { putFullCatalogue } from "./full-catalogue.ts";

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
  extra_data: { from: ["a", null] },
  mcp_servers: ["orders"],
};

async function run(): Promise<RunningService> {
  const recognizer: SpeechRecognizer = {
    recognize: () => Promise.resolve({ text: "", locale: null }),
    close: () => Promise.resolve(),
  };
  const service = await runService({ recognizer: () => recognizer });
  await putFullCatalogue(service);
  return service;
}

const sorted = (names: Iterable<string>): string[] => [...names].toSorted();
const namesOf = (object: unknown): string[] => sorted(Object.keys(object as Fields));

function expectNested(object: Fields, kinds: readonly (keyof typeof nested)[]): void {
  for (const kind of kinds) expect(namesOf(object[kind]), kind).toEqual(sorted(nested[kind]));
  expect(namesOf(object["stt_text_normalization_config"])).toEqual(sorted(nested.text_normalization_config));
  for (const capability of object["capability"] as unknown[])
    expect(namesOf(capability)).toEqual(["description", "name"]);
}

async function create(service: RunningService, fields: Fields): Promise<Fields> {
  const response = await service.send("POST", "/api/v1/session/", fields);
  expect(response.status).toBe(201);
  return (await response.json()) as Fields;
}

test("the answer to a create has each field as it was sent, and the session's own fields", async () => {
  const service = await run();
  const { session_id, created_at, status, ...repeated } = await create(service, whole);
  expect(repeated).toEqual({ ...whole, interactive_agent_config: null });
  expect(namesOf(repeated)).toEqual(sorted(requestFields));
  expect([typeof session_id, created_at, status]).toEqual(["string", "2026-01-01T00:00:00.000Z", "CREATED"]);
  const kept = await service.store.sessions.detail(session_id as string);
  expect(kept?.request).toMatchObject(whole);
});

test.each([
  ["application/x-www-form-urlencoded", () => new URLSearchParams()],
  ["multipart/form-data", () => new FormData()],
])("%s carries every field as JSON does, lists by repeated keys", async (_type, emptyForm) => {
  const service = await run();
  const fields = { ...whole, mcp_servers: ["orders", "m1"] };
  const form = emptyForm();
  for (const [name, value] of Object.entries(fields))
    if (name === "extra_data") form.append(name, JSON.stringify(value));
    else for (const one of [value].flat()) form.append(name, `${one as string | number}`);
  const response = await service.request("/api/v1/session/", {
    method: "POST",
    body: form,
    headers: { "ServicePlatform-APIKey": apiKey },
  });
  expect(response.status).toBe(201);
  expect(await response.json()).toMatchObject(fields);
});

test("a session is retrieved with every field and every nested object of the specification", async () => {
  const service = await run();
  const { session_id } = await create(service, whole);
  const path = `/api/v1/session/${String(session_id)}/`;
  const session = (await (await service.get(path)).json()) as Fields;
  expect(namesOf(session)).toEqual(sorted(retrievedFields));
  const { document: _apart, interactive_agent_config: _other, mcp_server: _list, ...objects } = nested;
  expectNested(session, Object.keys(objects) as (keyof typeof objects)[]);
  expect(session).toMatchObject({
    document: "d1",
    session_acls: [],
    termination_reason: null,
    duration_sec: 0,
    client_sdp: null,
    server_sdp: null,
    interactive_agent_config: null,
    prompt: { require_document: true, intro_message: "Welcome" },
    stt_type: { options: { beam: 4 } },
    text_normalization_config: { pre_hook_args: { a: 1 }, post_hook_args: [2] },
    text_normalization_locale: "en",
    stt_text_normalization_locale: "de",
    padding_left: -0.5,
    padding_top: 0.25,
    padding_height: 2,
    extra_data: whole.extra_data,
  });
  const names = (session["capability"] as { name: string }[]).map(({ name }) => name);
  expect(names).toEqual(whole.capability);
  const servers = (of: Fields) => of["mcp_servers"] as Fields[];
  expect(servers(session).map(namesOf)).toEqual([sorted(nested.mcp_server)]);
  const keyless = (await (await service.request(path)).json()) as Fields;
  expect(namesOf(keyless)).toEqual(sorted(retrievedFields));
});

test("an interactive agent is retrieved with only its discovery fields", async () => {
  const service = await run();
  const created = await create(service, { capability: ["LLM"], interactive_agent_config: "pliac-1" });
  expect(created).toMatchObject({ interactive_agent_config: "pliac-1", prompt: null, llm_type: null });
  const text = await (await service.get(`/api/v1/session/${String(created["session_id"])}/`)).text();
  const session = JSON.parse(text) as Fields;
  expect(namesOf(session["interactive_agent_config"])).toEqual(sorted(nested.interactive_agent_config));
  expect(text).not.toContain("canary");
});

test("a session template is retrieved with every field and every nested object", async () => {
  const service = await run();
  const template = (await (await service.get("/api/v1/session_template/t1/")).json()) as Fields;
  expect(namesOf(template)).toEqual(sorted(templateFields));
  const { mcp_server, ...objects } = nested;
  expectNested(template, Object.keys(objects) as (keyof typeof objects)[]);
  expect((template["mcp_servers"] as unknown[]).map(namesOf)).toEqual([sorted(mcp_server)]);
});

test.each([
  ["/api/v1/prompt/", nested.prompt],
  ["/api/v1/document/", nested.document],
  ["/api/v1/background_image/", nested.background_image],
  ["/api/v1/session_template/", templateFields],
  ["/api/v1/settings/modelstyle/", nested.model_style],
  ["/api/v1/settings/tts_type/", nested.tts_type],
  ["/api/v1/settings/stt_type/", nested.stt_type],
  ["/api/v1/settings/llm_type/", nested.llm_type],
  ["/api/v1/settings/mcp_type/", nested.mcp_server],
  ["/api/v1/settings/text_normalization_config/", nested.text_normalization_config],
])("%s lists entries with the specification's fields", async (path, fields) => {
  const list = (await (await (await run()).get(path)).json()) as unknown[];
  expect(list).not.toEqual([]);
  for (const entry of list) expect(namesOf(entry)).toEqual(sorted(fields));
});
