import { describe, expect } from "vitest";
import type { SessionRetrieved } from "../../../src/protocol/session/session.ts";
import { errorsOf, jsonOf, refusalOf, statusOf } from "../answers.ts";
import { addOtherOrganization, apiKey, type RunningService } from "../service-fixture.ts";
import { putFullCatalogue, runFullCatalogue } from "./full-catalogue.ts";
import { testWith } from "./shared-service.ts";

const test = testWith(runFullCatalogue);

const path = "/api/v1/session/";

const create = (run: RunningService, fields: object) => run.send("POST", path, fields);
/** A session that only speaks needs least. */
const speaking = { capability: ["TTS"], tts_type: "visavis-slt" };

describe("capabilities", () => {
  test("the error for a missing field names only the capabilities that need it", async ({ run }) => {
    const errors = await errorsOf(create(run, { capability: ["STF_WEBRTC", "LLM", "STT"] }));
    expect(errors.map(({ attr, detail }) => [attr, detail])).toEqual([
      ["prompt", "This field is required for STF_WEBRTC, LLM."],
      ["llm_type", "This field is required for STF_WEBRTC, LLM."],
      ["model_style", "This field is required for STF_WEBRTC."],
      ["tts_type", "This field is required for STF_WEBRTC."],
      ["stt_type", "This field is required for STT."],
    ]);
  });

  const requiredBy: Record<string, readonly string[]> = {
    STF_WEBRTC: ["prompt", "llm_type", "model_style", "tts_type"],
    STF_ONPREMISE: ["model_style"],
    LLM: ["prompt", "llm_type"],
    TTS: ["tts_type"],
    STT: ["stt_type"],
  };
  const combinations = Object.keys(requiredBy)
    .reduce<string[][]>((lists, name) => [...lists, ...lists.map((list) => [...list, name])], [[]])
    .filter((list) => list.length > 0);
  const values = { llm_type: "visavis-retrieval", model_style: "mina", tts_type: "visavis-slt" };
  const valuesOf = ({ demo }: RunningService) => ({ ...values, prompt: demo.id, stt_type: "ears" });
  const both = (list: string[]) => list.includes("STF_WEBRTC") && list.includes("STF_ONPREMISE");

  test.for(combinations.filter((list) => !both(list)))(
    "%j asks for the fields of each, and takes a session with just these; each counts once",
    async (capability, { run }) => {
      const required = [...new Set(capability.flatMap((name) => requiredBy[name] ?? []))];
      const [status, ...faults] = await refusalOf(create(run, { capability }));
      expect(status).toBe(400);
      expect(faults.toSorted()).toEqual(required.map((field) => `${field} required`).toSorted());
      const known: Record<string, string> = valuesOf(run);
      const fields = Object.fromEntries(required.map((field) => [field, known[field]]));
      const twice = { capability: [...capability, capability[0]], ...fields };
      expect(await jsonOf(create(run, twice))).toMatchObject({ capability, ...fields });
    },
  );

  test.for(combinations.filter(both))("%j is refused whatever else is sent", async (capability, { run }) => {
    expect(await refusalOf(create(run, { capability, ...valuesOf(run) }))).toEqual([
      400,
      "capability invalid",
    ]);
  });
});

test.for([
  { padding_left: -1 },
  { padding_left: 1 },
  { padding_top: 0 },
  { padding_top: 1 },
  { padding_height: 0 },
  { padding_height: 5 },
  { agent: "a".repeat(255) },
  { text_normalization_locale: "x".repeat(10) },
  { stt_text_normalization_locale: "x".repeat(10) },
  { extra_data: null },
  { extra_data: [false, 0, "", {}] },
])("%j is as far as the field goes", async (fields, { run }) => {
  expect(await jsonOf(create(run, { ...speaking, ...fields }))).toMatchObject(fields);
});

const identifiers = [
  ...["prompt", "document", "llm_type", "tts_type", "text_normalization_config", "stt_type"],
  ...["stt_text_normalization_config", "model_style", "agent_config", "background_image"],
];
const valued = (value: string): object => Object.fromEntries(identifiers.map((name) => [name, value]));
const agentConfig = { capability: ["LLM"], interactive_agent_config: "pliac-none" };

test.for<[fields: object, faults: string[]]>([
  // The default is STF_WEBRTC, with its required fields.
  [{}, ["prompt required", "llm_type required", "model_style required", "tts_type required"]],
  // What a wrong capability would need is not asked for.
  [{ capability: ["VIDEO"], agent: 1 }, ["capability.0 invalid_choice", "agent invalid"]],
  [{ capability: [] }, ["capability invalid"]],
  [
    { llm_type: "none", tts_type: 5, padding_left: 2, mcp_servers: ["none", 7] },
    [
      ...["prompt required", "model_style required", "llm_type does_not_exist", "tts_type invalid"],
      ...["padding_left max_value", "mcp_servers.1 invalid"],
    ],
  ],
  [{ ...speaking, tts_type: null }, ["tts_type required"]],
  [{ ...speaking, padding_left: -1.01 }, ["padding_left min_value"]],
  [{ ...speaking, padding_left: 1.01 }, ["padding_left max_value"]],
  [{ ...speaking, padding_top: -0.1 }, ["padding_top min_value"]],
  [{ ...speaking, padding_top: 1.1 }, ["padding_top max_value"]],
  [{ ...speaking, padding_height: -0.1 }, ["padding_height min_value"]],
  [{ ...speaking, padding_height: 5.1 }, ["padding_height max_value"]],
  [{ ...speaking, padding_height: "tall" }, ["padding_height invalid"]],
  [{ ...speaking, agent: "a".repeat(256) }, ["agent max_length"]],
  [{ ...speaking, text_normalization_locale: "x".repeat(11) }, ["text_normalization_locale max_length"]],
  [
    { ...speaking, stt_text_normalization_locale: "x".repeat(11) },
    ["stt_text_normalization_locale max_length"],
  ],
  [{ ...speaking, mcp_servers: Array(51).fill("a") }, ["mcp_servers max_length"]],
  [
    { ...speaking, mcp_servers: ["a", "b"] },
    ["mcp_servers.0", "mcp_servers.1"].map((at) => `${at} does_not_exist`),
  ],
  [{ ...speaking, mcp_servers: [""] }, ["mcp_servers.0 blank"]],
  [{ ...speaking, mcp_servers: ["a", 5] }, ["mcp_servers.1 invalid"]],
  [valued(""), identifiers.map((name) => `${name} blank`)],
  // One entry for each unknown identifier.
  [valued("unknown"), identifiers.map((name) => `${name} does_not_exist`)],
  // It replaces prompt and language model, and cannot be combined with them.
  [agentConfig, ["interactive_agent_config does_not_exist"]],
  [
    { ...agentConfig, prompt: "visavis-assistant" },
    ["interactive_agent_config does_not_exist", "interactive_agent_config invalid"],
  ],
  [
    { ...agentConfig, interactive_agent_config: "pliac-1", llm_type: "visavis-retrieval" },
    ["interactive_agent_config invalid"],
  ],
  [{ interactive_agent_config: "mara", agent: 1 }, ["agent invalid", "interactive_agent_config invalid"]],
])("%j is refused: %j", async ([fields, faults], { run }) => {
  const [status, ...found] = await refusalOf(create(run, fields));
  expect([status, found.toSorted()]).toEqual([400, faults.toSorted()]);
});

test("entries of another organization look as if they did not exist", async ({ own: run }) => {
  await addOtherOrganization(run, "vv_other_organization_key");
  await run.store.catalogue.remove("prompt", run.organizationId, "p1");
  await putFullCatalogue({ ...run, organizationId: "other" });
  const fields = { capability: ["LLM"], llm_type: "visavis-retrieval" };
  const told = async (prompt: string) =>
    (await (await create(run, { ...fields, prompt })).text()).replaceAll(prompt, "");
  expect(await told("p1")).toContain("does_not_exist");
  expect(await told("p1")).toBe(await told("no-such-prompt"));
});

test("unknown fields are ignored and extra_data is returned unchanged", async ({ run }) => {
  const extra_data = { a: [1, null, { "": "ü" }], context_id: 7 };
  const sent = create(run, { ...speaking, using_stf_webrtc: true, extra_data });
  const session = await jsonOf<SessionRetrieved>(sent);
  expect(session.extra_data).toEqual(extra_data);
  const retrieved = await jsonOf<SessionRetrieved>(run.get(`${path}${session.session_id}/`));
  expect(retrieved.extra_data).toEqual(extra_data);
});

test("an inactive context refuses new sessions", async ({ own: run }) => {
  await run.configure({}, { is_active: false });
  const fields = { ...speaking, extra_data: { context_id: "ctx_demo" } };
  expect(await refusalOf(create(run, fields))).toEqual([400, "extra_data.context_id invalid"]);
});

test.for(["p1", "Concierge"])(
  "the prompt %s of the catalogue overrides the context's, and is returned as an object",
  async (prompt, { run }) => {
    const session = await run.newSession({ prompt, document: "d1" });
    const returned = { prompt: { prompt_id: "p1", intro_message: "Welcome" } };
    expect(await run.status(session)).toMatchObject(returned);
  },
);

test("tool servers are shown only with the organization's key", async ({ run }) => {
  const session = await run.newSession({ mcp_servers: ["orders", "m1"] });
  expect(JSON.stringify(await run.status(session))).not.toMatch(/tools\.example|canary/);
  const { mcp_servers } = await jsonOf<SessionRetrieved>(run.get(`${path}${session}/`));
  expect(mcp_servers).toMatchObject([{ auth_header: "Bearer canary" }, { auth_header: "Bearer canary" }]);
});

test("ids have 160 random bits and are unique", async ({ run }) => {
  const ids = await Promise.all(Array.from({ length: 20 }, () => run.newSession()));
  expect(new Set(ids).size).toBe(20);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{40}$/);
});

describe("a form", () => {
  const send = (run: RunningService, body: FormData | URLSearchParams) =>
    run.request(path, { method: "POST", body, headers: { "XP-API-KEY": apiKey } });

  test.for<[string, ...[string, string][]]>([
    ["keys in brackets", ["capability[]", "LLM"], ["capability[]", "TTS"]],
    ["numbered keys", ["capability[0]", "LLM"], ["capability[1]", "TTS"]],
    ["JSON", ["capability", '["LLM", "TTS"]']],
    ["an empty text before the entries", ["capability", ""], ["capability", "LLM"], ["capability", "TTS"]],
  ])("may write a list with %s", async ([, ...list], { run }) => {
    const fields = { llm_type: "visavis-retrieval", tts_type: "visavis-slt", prompt: run.demo.id };
    for (const form of [new FormData(), new URLSearchParams()]) {
      for (const [name, value] of [...list, ...Object.entries(fields)]) form.append(name, value);
      expect(await jsonOf(send(run, form))).toMatchObject({ capability: ["LLM", "TTS"] });
    }
  });

  test.for([
    ["capability[]", "XX", "capability.0 invalid_choice"],
    ["capability", '["XX"]', "capability.0 invalid_choice"],
    ["capability", "[1]", "capability.0 invalid_choice"],
    ["capability", "XX", "capability.0 invalid_choice"],
    ["padding_left", "left", "padding_left invalid"],
  ] as const)("is told what is wrong of %s=%s: %s", async ([key, text, fault], { run }) => {
    expect(await refusalOf(send(run, new URLSearchParams([[key, text]])))).toContain(fault);
  });

  test("may have plain text as extra_data", async ({ run }) => {
    const form = new URLSearchParams({ capability: "TTS", tts_type: "visavis-slt", extra_data: "hello" });
    expect(await jsonOf(send(run, form))).toMatchObject({ extra_data: "hello" });
  });
});

test("an offer above 64 KiB is refused", async ({ run }) => {
  const body = { client_sdp: { type: "offer", sdp: "x".repeat(65_537) } };
  const refused = run.send("POST", `${path}${await run.newSession()}/exchange/`, body);
  expect(await refusalOf(refused)).toEqual([400, "client_sdp.sdp max_length"]);
});

test("operations that an ended session no longer allows say so; it stays readable", async ({ run }) => {
  const session = await run.newSession();
  await run.event(session, "SESSION_END");
  const one = `${path}${session}`;
  const audio = new FormData();
  audio.append("audio", new Blob(["RIFF"]), "a.wav");
  for (const answer of [
    run.request(`${one}/ice-servers/`),
    run.send("POST", `${one}/exchange/`, { client_sdp: { type: "offer", sdp: "v=0" } }),
    run.send("POST", `${one}/llm/v2/`, { messages: [{ role: "user", content: "Hi" }] }),
    run.send("POST", `${one}/tts/`, { text: "Hi" }),
    run.request(`${one}/stt/`, { method: "POST", body: audio }),
  ]) {
    expect(await statusOf(answer)).toBe(400);
    const detail = expect.stringContaining("GRACEFUL_TERMINATION") as string;
    expect(await (await answer).json()).toMatchObject({
      type: "client_error",
      errors: [{ code: "invalid", detail }],
    });
  }
  expect(await run.status(session)).toMatchObject({ status: "TERMINATED" });
});
