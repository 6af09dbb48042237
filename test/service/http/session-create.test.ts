import { describe, expect, test } from "vitest";
import { errorBodySchema } from "../../../src/protocol/schema/error-body.ts";
import { sessionCreatedSchema, sessionRetrievedSchema } from "../../../src/protocol/session/session.ts";
import type { SpeechRecognizer } from "../../../src/service/speech/speech-recognizer.ts";
import { addOtherOrganization, apiKey, type RunningService, runService } from "../service-fixture.ts";
import { putFullCatalogue } from "./full-catalogue.ts";
import { sharedService } from "./shared-service.ts";
import { putToolServer } from "./tool-server.ts";

const path = "/api/v1/session/";

const shared = sharedService();

async function refusal(run: RunningService, fields: Record<string, unknown>) {
  const response = await run.send("POST", path, fields);
  const body = errorBodySchema.parse(await response.json());
  return {
    status: response.status,
    type: body.type,
    faults: body.errors.map(({ code, attr }) => [attr, code]),
  };
}

describe("capability rules", () => {
  test("the default is STF_WEBRTC, with its required fields", async () => {
    const run = await shared();
    expect(await refusal(run, {})).toEqual({
      status: 400,
      type: "validation_error",
      faults: [
        ["prompt", "required"],
        ["llm_type", "required"],
        ["model_style", "required"],
        ["tts_type", "required"],
      ],
    });
  });

  test("the error for a missing field names only the capabilities that need it", async () => {
    const run = await shared();
    const response = await run.send("POST", path, { capability: ["STF_WEBRTC", "LLM", "STT"] });
    const { errors } = errorBodySchema.parse(await response.json());
    expect(errors.map(({ attr, detail }) => [attr, detail])).toEqual([
      ["prompt", "This field is required for STF_WEBRTC, LLM."],
      ["llm_type", "This field is required for STF_WEBRTC, LLM."],
      ["model_style", "This field is required for STF_WEBRTC."],
      ["tts_type", "This field is required for STF_WEBRTC."],
      ["stt_type", "This field is required for STT."],
    ]);
  });

  test("wrong types, broken rules and names of nothing are answered at once", async () => {
    const run = await shared();
    const fields = { llm_type: "none", tts_type: 5, padding_left: 2, mcp_servers: ["none", 7] };
    expect((await refusal(run, fields)).faults.sort()).toEqual([
      ["llm_type", "does_not_exist"],
      ["mcp_servers.1", "invalid"],
      ["model_style", "required"],
      ["padding_left", "max_value"],
      ["prompt", "required"],
      ["tts_type", "invalid"],
    ]);
  });

  test("what a wrong capability would need is not asked for", async () => {
    const run = await shared();
    expect((await refusal(run, { capability: ["LIPS"], agent: 1, stt_type: "none" })).faults).toEqual([
      ["capability.0", "invalid_choice"],
      ["agent", "invalid"],
      ["stt_type", "does_not_exist"],
    ]);
    const agent = { interactive_agent_config: "mara", agent: 1 };
    expect((await refusal(run, agent)).faults).toEqual([
      ["agent", "invalid"],
      ["interactive_agent_config", "invalid"],
    ]);
  });

  test("several capabilities may be combined; each counts once", async () => {
    const run = await shared();
    const response = await run.send("POST", path, {
      capability: ["LLM", "TTS", "LLM"],
      prompt: run.demo.id,
      llm_type: "visavis-retrieval",
      tts_type: "visavis-slt",
    });
    expect(response.status).toBe(201);
    expect(sessionCreatedSchema.parse(await response.json()).capability).toEqual(["LLM", "TTS"]);
  });

  test.each(["prompt", "llm_type"])("interactive_agent_config cannot be combined with %s", async (field) => {
    const run = await shared();
    const { status, faults } = await refusal(run, {
      capability: ["LLM"],
      interactive_agent_config: "pliac-1",
      [field]: "x",
    });
    expect(status).toBe(400);
    expect(faults).toContainEqual(["interactive_agent_config", "invalid"]);
  });

  test("interactive_agent_config replaces prompt and llm_type", async () => {
    const run = await shared();
    const { faults } = await refusal(run, { capability: ["LLM"], interactive_agent_config: "pliac-1" });
    expect(faults).toEqual([["interactive_agent_config", "does_not_exist"]]);
  });
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

describe("every combination of capabilities", () => {
  const both = (list: string[]) => list.includes("STF_WEBRTC") && list.includes("STF_ONPREMISE");
  const engine: SpeechRecognizer = {
    recognize: () => Promise.resolve({ text: "", locale: null }),
    close: () => Promise.resolve(),
  };

  const run = sharedService({ recognizer: () => engine }, putFullCatalogue);

  test.each(combinations.filter((list) => !both(list)).map((list) => [list.join(" "), list] as const))(
    "%s: asks for the fields of each, and takes a session with just these",
    async (_, capability) => {
      const service = await run();
      const required = [...new Set(capability.flatMap((name) => requiredBy[name] ?? []))];
      const { faults } = await refusal(service, { capability });
      expect(faults.toSorted()).toEqual(required.map((field) => [field, "required"]).toSorted());
      const values: Record<string, string> = {
        prompt: service.demo.id,
        llm_type: "visavis-retrieval",
        model_style: "mina",
        tts_type: "visavis-slt",
        stt_type: "ears",
      };
      const fields = Object.fromEntries(required.map((field) => [field, values[field]]));
      const response = await service.send("POST", path, { capability, ...fields });
      expect(response.status).toBe(201);
      expect(sessionCreatedSchema.parse(await response.json())).toMatchObject({ capability, ...fields });
    },
  );

  test.each(combinations.filter(both).map((list) => [list.join(" "), list] as const))(
    "%s: is refused whatever else is sent",
    async (_, capability) => {
      const service = await run();
      const fields = { prompt: service.demo.id, llm_type: "visavis-retrieval", stt_type: "ears" };
      const { status, faults } = await refusal(service, {
        capability,
        ...fields,
        model_style: "mina",
        tts_type: "visavis-slt",
      });
      expect([status, faults]).toEqual([400, [["capability", "invalid"]]]);
    },
  );
});

describe("fields", () => {
  test.each([
    [{ padding_left: -1 }],
    [{ padding_left: 1 }],
    [{ padding_top: 0 }],
    [{ padding_top: 1 }],
    [{ padding_height: 0 }],
    [{ padding_height: 5 }],
    [{ agent: "a".repeat(255) }],
    [{ text_normalization_locale: "x".repeat(10) }],
    [{ stt_text_normalization_locale: "x".repeat(10) }],
    [{ extra_data: null }],
    [{ extra_data: [false, 0, "", {}] }],
  ])("%j is as far as the field goes", async (fields) => {
    const run = await shared();
    const response = await run.send("POST", path, {
      capability: ["TTS"],
      tts_type: "visavis-slt",
      ...fields,
    });
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject(fields);
  });

  test("no identifier may be blank", async () => {
    const run = await shared();
    const names = [
      "prompt",
      "document",
      "llm_type",
      "tts_type",
      "text_normalization_config",
      "stt_type",
      "stt_text_normalization_config",
      "model_style",
      "agent_config",
      "background_image",
    ];
    const { faults } = await refusal(run, Object.fromEntries(names.map((name) => [name, ""])));
    expect(faults).toEqual(names.map((name) => [name, "blank"]));
  });

  test.each([
    [{ padding_height: -0.1 }, "padding_height", "min_value"],
    [{ mcp_servers: Array(51).fill("a") }, "mcp_servers", "max_length"],
    [{ mcp_servers: [""] }, "mcp_servers.0", "blank"],
    [{ padding_left: -1.01 }, "padding_left", "min_value"],
    [{ padding_left: 1.01 }, "padding_left", "max_value"],
    [{ padding_top: -0.1 }, "padding_top", "min_value"],
    [{ padding_top: 1.1 }, "padding_top", "max_value"],
    [{ padding_height: 5.1 }, "padding_height", "max_value"],
    [{ padding_height: "tall" }, "padding_height", "invalid"],
    [{ agent: "a".repeat(256) }, "agent", "max_length"],
    [{ text_normalization_locale: "x".repeat(11) }, "text_normalization_locale", "max_length"],
    [{ stt_text_normalization_locale: "x".repeat(11) }, "stt_text_normalization_locale", "max_length"],
    [{ prompt: "" }, "prompt", "blank"],
    [{ capability: ["TTS"], tts_type: null }, "tts_type", "required"],
    [{ capability: ["VIDEO"] }, "capability.0", "invalid_choice"],
    [{ capability: [] }, "capability", "invalid"],
    [{ interactive_agent_config: "agent-1" }, "interactive_agent_config", "invalid"],
    [{ mcp_servers: ["a", 5] }, "mcp_servers.1", "invalid"],
  ])("%j is refused", async (fields, attr, code) => {
    const run = await shared();
    expect((await refusal(run, fields)).faults).toContainEqual([attr, code]);
  });

  test("entries of another organization look as if they did not exist", async () => {
    const run = await runService();
    await addOtherOrganization(run, "vv_other_organization_key");
    await putFullCatalogue({ ...run, organizationId: "other" });
    const fields = { capability: ["LLM"], llm_type: "visavis-retrieval" };
    const faultsOf = async (prompt: string) => {
      const response = await run.send("POST", path, { ...fields, prompt });
      return (await response.text()).replaceAll(prompt, "");
    };
    expect(await faultsOf("p1")).toBe(await faultsOf("no-such-prompt"));
  });

  test("the error has one entry for each unknown identifier", async () => {
    const run = await shared();
    const { status, faults } = await refusal(run, {
      prompt: "4b1b7c6e-0000-4000-8000-000000000000",
      llm_type: "gpt",
      model_style: "nobody",
      tts_type: "mute",
      document: "d",
      background_image: "b",
      agent_config: "a",
      text_normalization_config: "t",
      mcp_servers: ["m"],
    });
    expect(status).toBe(400);
    expect(new Set(faults.map(([, code]) => code))).toEqual(new Set(["does_not_exist"]));
    expect(faults.map(([attr]) => attr).sort()).toEqual(
      [
        "agent_config",
        "background_image",
        "document",
        "llm_type",
        "mcp_servers.0",
        "model_style",
        "prompt",
        "text_normalization_config",
        "tts_type",
      ].sort(),
    );
  });

  test("unknown fields are ignored and extra_data is returned unchanged", async () => {
    const run = await shared();
    const extra = { a: [1, null, { "": "ü" }], context_id: 7 };
    const response = await run.send("POST", path, {
      capability: ["TTS"],
      tts_type: "visavis-slt",
      using_stf_webrtc: true,
      extra_data: extra,
    });
    const { session_id, extra_data } = sessionCreatedSchema.parse(await response.json());
    expect(extra_data).toEqual(extra);
    const retrieved = (await (await run.get(`${path}${session_id}/`)).json()) as { extra_data: unknown };
    expect(retrieved.extra_data).toEqual(extra);
  });

  test("an inactive context refuses new sessions", async () => {
    const run = await runService();
    await run.store.contexts.replace(run.organizationId, run.demo.id, { ...run.demo, is_active: false }, 1);
    const fields = { capability: ["TTS"], tts_type: "visavis-slt", extra_data: { context_id: "ctx_demo" } };
    expect((await refusal(run, fields)).faults).toEqual([["extra_data.context_id", "invalid"]]);
  });

  test("a prompt from the catalogue overrides the context's, and is returned as an object", async () => {
    const run = await runService();
    await run.store.catalogue.put({
      kind: "prompt",
      id: "p1",
      name: "Greeter",
      organizationId: run.organizationId,
      createdAtMs: 0,
      body: {
        prompt_id: "p1",
        name: "Greeter",
        system_prompt: "Be brief.",
        description: "",
        require_document: false,
        intro_message: "Hi",
      },
    });
    for (const prompt of ["p1", "Greeter"]) {
      const session = await run.newSession({ prompt });
      expect(await run.status(session)).toMatchObject({ prompt: { prompt_id: "p1", intro_message: "Hi" } });
    }
  });

  test("tool servers are shown only with the organization's key", async () => {
    const run = await runService();
    await putToolServer(run);
    const session = await run.newSession({ mcp_servers: ["orders", "m1"] });
    const text = JSON.stringify(await run.status(session));
    expect(text).not.toContain("https://tools.example");
    expect(text).not.toContain("canary");
    const { mcp_servers } = sessionRetrievedSchema.parse(await (await run.get(`${path}${session}/`)).json());
    expect(mcp_servers).toMatchObject([{ auth_header: "Bearer canary" }, { auth_header: "Bearer canary" }]);
  });

  test("ids have 160 random bits and are unique", async () => {
    const run = await shared();
    const ids = await Promise.all(Array.from({ length: 20 }, () => run.newSession()));
    expect(new Set(ids).size).toBe(20);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{40}$/);
  });
});

describe("body types", () => {
  const entries: [string, string][] = [
    ["capability", "LLM"],
    ["capability", "TTS"],
    ["llm_type", "visavis-retrieval"],
    ["tts_type", "visavis-slt"],
    ["padding_left", "-0.5"],
    ["extra_data", '{"from":"form"}'],
    ["text_normalization_locale", "en"],
  ];
  const expected = {
    capability: ["LLM", "TTS"],
    padding_left: -0.5,
    extra_data: { from: "form" },
    text_normalization_locale: "en",
  };

  test.each(["application/x-www-form-urlencoded", "multipart/form-data"])("%s", async (type) => {
    const run = await shared();
    const form = type.startsWith("multipart") ? new FormData() : new URLSearchParams();
    for (const [name, value] of [...entries, ["prompt", run.demo.id] as const]) form.append(name, value);
    const response = await run.request(path, {
      method: "POST",
      body: form,
      headers: { "XP-API-KEY": apiKey },
    });
    expect(response.status).toBe(201);
    expect(sessionCreatedSchema.parse(await response.json())).toMatchObject(expected);
  });

  test.each([
    [
      "keys in brackets",
      [
        ["capability[]", "LLM"],
        ["capability[]", "TTS"],
      ],
    ],
    [
      "numbered keys",
      [
        ["capability[0]", "LLM"],
        ["capability[1]", "TTS"],
      ],
    ],
    ["JSON", [["capability", '["LLM", "TTS"]']]],
    [
      "an empty text before the entries",
      [
        ["capability", ""],
        ["capability", "LLM"],
        ["capability", "TTS"],
      ],
    ],
  ] as [string, [string, string][]][])("a list of a form may be written with %s", async (_, list) => {
    const run = await shared();
    const fields = Object.entries({
      llm_type: "visavis-retrieval",
      tts_type: "visavis-slt",
      prompt: run.demo.id,
    });
    for (const form of [new FormData(), new URLSearchParams()]) {
      for (const [name, value] of [...list, ...fields]) form.append(name, value);
      const response = await run.request(path, {
        method: "POST",
        body: form,
        headers: { "XP-API-KEY": apiKey },
      });
      expect(response.status).toBe(201);
      expect(sessionCreatedSchema.parse(await response.json()).capability).toEqual(["LLM", "TTS"]);
    }
  });

  test("a wrong entry of a form's list is named, however the list is written", async () => {
    const run = await shared();
    for (const [key, text] of [
      ["capability[]", "XX"],
      ["capability", '["XX"]'],
      ["capability", "[1]"],
      ["capability", "XX"],
    ] as const) {
      const body = new URLSearchParams([[key, text]]);
      const response = await run.request(path, { method: "POST", body, headers: { "XP-API-KEY": apiKey } });
      const { errors } = errorBodySchema.parse(await response.json());
      expect(errors).toContainEqual(
        expect.objectContaining({ code: "invalid_choice", attr: "capability.0" }),
      );
    }
  });

  test("text that is not a number is named in the error, and extra_data may be plain text", async () => {
    const run = await shared();
    const form = new URLSearchParams({ padding_left: "left" });
    const send = (body: URLSearchParams) =>
      run.request(path, { method: "POST", body, headers: { "XP-API-KEY": apiKey } });
    const { errors } = errorBodySchema.parse(await (await send(form)).json());
    expect(errors).toContainEqual(expect.objectContaining({ code: "invalid", attr: "padding_left" }));
    const plain = new URLSearchParams({ capability: "TTS", tts_type: "visavis-slt", extra_data: "hello" });
    expect(await (await send(plain)).json()).toMatchObject({ extra_data: "hello" });
  });
});
