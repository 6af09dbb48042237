import { expect, test } from "vitest";
import { embedContextSchema, type EmbedContextAnswer } from "../../../src/protocol/settings/embed-context.ts";
import { errorBodySchema } from "../../../src/protocol/schema/error-body.ts";
import { changeEmbedConfig } from "../../../src/service/administration/contexts/avatars.ts";
import { apiKey, runService } from "../service-fixture.ts";

const contexts = "/api/console/b2c/contexts/";
const base = { name: "Shop", tts_type: "visavis-slt", model_style: "mina" };

async function put(config: unknown): Promise<Response> {
  const run = await runService();
  return run.send("PUT", `${contexts}${run.demo.id}/`, { ...base, embed_config: config });
}

const mistaken: [config: object, attr: string, suggestion: string][] = [
  [{ alowed_origins: ["https://shop.example"] }, "alowed_origins", "allowed_origins"],
  [{ allowedOrigins: ["https://shop.example"] }, "allowedOrigins", "allowed_origins"],
  [{ theme: "dark" }, "theme", "ui.theme"],
  [{ ui: { sugestions: ["Hours"] } }, "ui.sugestions", "suggestions"],
  [{ ui: { color: "#0d6660" } }, "ui.color", "brand_color"],
  [{ ui: { idle_timeout_sec: 60 } }, "ui.idle_timeout_sec", "limits.idle_timeout_sec"],
  [{ ui: { prompt: "shop" } }, "ui.prompt", "embed_config.prompt"],
  [{ limits: { minutes_per_dya: 5 } }, "limits.minutes_per_dya", "minutes_per_day"],
  [{ stage: { padding_letf: 0 } }, "stage.padding_letf", "padding_left"],
  [{ analytics: { dataLayer: true } }, "analytics.dataLayer", "data_layer"],
];

/** The answer to a PUT with this configuration. */
async function answerTo(config: unknown): Promise<EmbedContextAnswer> {
  const response = await put(config);
  expect(response.status).toBe(200);
  return embedContextSchema.parse(await response.json());
}

test.each(mistaken)(
  "%j is kept, with a warning that names the setting that was meant",
  async (config, path, suggestion) => {
    const { embed_config, warnings = [] } = await answerTo(config);
    expect(embed_config).toEqual(config);
    expect(warnings).toMatchObject([{ code: "invalid", attr: `embed_config.${path}` }]);
    expect(warnings[0]?.detail).toContain(`Did you mean "${suggestion}"?`);
  },
);

test("a key that resembles nothing gets a warning with the keys that there are", async () => {
  const { warnings = [] } = await answerTo({ analytics: { google: "G-1" } });
  expect(warnings).toMatchObject([{ attr: "embed_config.analytics.google" }]);
  expect(warnings[0]?.detail).toBe(
    'analytics has no setting "google". It has data_layer. Begin the names of your own data with x_.',
  );
});

test("keys that begin with x_ are data of the owner's own at every level", async () => {
  const config = {
    x_crm: { id: 7 },
    ui: { x_note: "a" },
    limits: { x_plan: "gold" },
    stage: { x_shot: 2 },
    analytics: { x_tag: "b" },
  };
  const { embed_config, warnings } = await answerTo(config);
  expect([embed_config, warnings]).toEqual([config, undefined]);
});

const anyJson = [
  "[]",
  "5",
  '"x"',
  "true",
  "null",
  '[[1],{"a":null}]',
  '{"theme":"dark"}',
  '{"ui":{"zzz":1}}',
  '{"ui":[],"voice":null,"limits":"none"}',
  '{"__proto__":{"a":1},"ui":{"__proto__":{"theme":"dark"},"constructor":1}}',
];

test.each(anyJson)("embed_config %s is returned as it was sent, by every operation", async (json) => {
  const run = await runService();
  const path = `${contexts}${run.demo.id}/`;
  const body = `${JSON.stringify(base).slice(0, -1)},"embed_config":${json}}`;
  const headers = { "Content-Type": "application/json", "XP-API-KEY": apiKey };
  const sent = [
    await run.request(path, { method: "PUT", body, headers }),
    await run.request(contexts, { method: "POST", body, headers }),
    await run.get(path),
    await run.get(`${contexts}?context_id=ctx_demo`),
  ];
  for (const response of sent) {
    expect(response.status).toBeLessThan(300);
    expect(await response.text()).toContain(`"embed_config":${json},`);
  }
  // The avatar works as if nothing had been set.
  const session = {
    ...{ capability: ["TTS"], tts_type: "visavis-slt" },
    extra_data: { context_id: "ctx_demo" },
  };
  expect((await run.send("POST", "/api/v1/session/", session)).status).toBe(201);
  expect((await run.get(`${path}embed/`)).status).toBe(200);
});

test("settings that are valid work beside those that are not, and wrong entries of a list are left out", async () => {
  const run = await runService();
  const config = {
    allowed_origins: ["https://shop.example", "shop.example", "https://other.example"],
    limits: { minutes_per_day: "many", turns_per_day: 7 },
    documents: 5,
    theme: "dark",
  };
  const saved = await run.send("PUT", `${contexts}${run.demo.id}/`, { ...base, embed_config: config });
  const { warnings = [] } = embedContextSchema.parse(await saved.json());
  expect(warnings.map(({ attr }) => attr)).toEqual([
    "embed_config.allowed_origins.1",
    "embed_config.documents",
    "embed_config.limits.minutes_per_day",
    "embed_config.theme",
  ]);
  expect((await run.store.contexts.byContextId(run.organizationId, "ctx_demo"))?.config).toEqual({
    allowed_origins: ["https://shop.example", "https://other.example"],
    limits: { turns_per_day: 7 },
    theme: "dark",
  });
});

test("what has no effect survives changes of other settings by the service itself", async () => {
  const run = await runService();
  const config = { theme: "dark", limits: { minutes_per_day: "many" } };
  await run.send("PUT", `${contexts}${run.demo.id}/`, { ...base, embed_config: config });
  const edit = { organizationId: run.organizationId, id: run.demo.id, by: "owner", nowMs: 1 };
  await changeEmbedConfig(run.store, edit, (given) => ({ ...given, retention_days: 3 }));
  const found = embedContextSchema.parse(await (await run.get(`${contexts}${run.demo.id}/`)).json());
  expect(found.embed_config).toEqual({ ...config, retention_days: 3 });
});

test("a context that was saved with unknown keys is still read", async () => {
  const run = await runService();
  const config = { alowed_origins: [], ui: { colour: "red" } };
  await run.store.contexts.replace(run.organizationId, run.demo.id, { ...run.demo, embed_config: config }, 1);
  const found = await run.get(`${contexts}${run.demo.id}/`);
  expect(embedContextSchema.parse(await found.json()).embed_config).toEqual(config);
});

test.each([
  [{ ui: { brand_color: "red" } }, "A colour is # and three or six hexadecimal digits: #0d6660."],
  [{ allowed_origins: ["shop.example"] }, "An origin is http:// or https://"],
  [{ ui: { privacy_url: "http://shop.example" } }, "A link begins with https://"],
  [{ ui: { font: "a;b" } }, "A font is a list of family names"],
  [{ mcp_tools: ["cancel"] }, "A tool is named by its server, a slash and its own name"],
  [{ time_zone: "Berlin time" }, "A time zone is named by its region and its place"],
  [{ stage: { matte: "green" } }, "Allowed here: none, packed-alpha"],
])("the warning about %j says the rule in words", async (config, rule) => {
  const { warnings = [] } = await answerTo(config);
  expect(warnings[0]?.detail).toContain(rule);
  expect(warnings[0]?.detail).not.toMatch(/pattern|\/\^/);
});

const wrongConfig = {
  alowed_origins: [],
  voice: null,
  render: "x",
  ui: { radius: 99, foo: 1 },
  documents: ["none"],
};

test("wrong values, unknown keys and names of nothing are warnings, nulls count as left out", async () => {
  const { embed_config, warnings = [] } = await answerTo(wrongConfig);
  expect(embed_config).toEqual(wrongConfig);
  expect(warnings.map(({ attr, code }) => `${attr ?? ""} ${code}`).sort()).toEqual([
    "embed_config.alowed_origins invalid",
    "embed_config.documents.0 does_not_exist",
    "embed_config.render invalid_choice",
    "embed_config.ui.foo invalid",
    "embed_config.ui.radius max_value",
  ]);
});

test("wrong fields of a context are refused at once, whatever its embed_config is", async () => {
  const run = await runService();
  const fields = { name: "", tts_type: "none", max_session_sec: -1, background_image: null };
  const body = { ...fields, embed_config: wrongConfig };
  const response = await run.send("PUT", `${contexts}${run.demo.id}/`, body);
  expect(response.status).toBe(400);
  const { errors } = errorBodySchema.parse(await response.json());
  expect(errors.map(({ attr, code }) => `${attr ?? ""} ${code}`).sort()).toEqual([
    "max_session_sec min_value",
    "model_style required",
    "name blank",
    "tts_type does_not_exist",
  ]);
});

test("a name of spaces is blank, and an empty background is none even where something else is wrong", async () => {
  const run = await runService();
  const fields = { ...base, name: "  ", background_image: "" };
  for (const [more, attrs] of [
    [{}, ["name"]],
    [{ embed_config: [] }, ["name"]],
  ] as const) {
    const response = await run.send("PUT", `${contexts}${run.demo.id}/`, { ...fields, ...more });
    const { errors } = errorBodySchema.parse(await response.json());
    expect(errors.map(({ attr }) => attr)).toEqual(attrs);
  }
});
