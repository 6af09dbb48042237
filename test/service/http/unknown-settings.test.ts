import { expect, test } from "vitest";
import { embedContextSchema } from "../../../src/protocol/embed-context.ts";
import { errorBodySchema } from "../../../src/protocol/error-body.ts";
import { runService } from "../service-fixture.ts";

const contexts = "/api/console/b2c/contexts/";
const base = { name: "Shop", tts_type: "visavis-slt", model_style: "mina" };

async function put(config: unknown): Promise<Response> {
  const run = await runService();
  return run.send("PUT", `${contexts}${run.demo.id}/`, { ...base, embed_config: config });
}

const refused: [config: object, attr: string, suggestion: string][] = [
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

test.each(refused)(
  "%j is refused by name, with the setting that was meant",
  async (config, path, suggestion) => {
    const response = await put(config);
    expect(response.status).toBe(400);
    const { errors } = errorBodySchema.parse(await response.json());
    expect(errors).toMatchObject([{ code: "invalid", attr: `embed_config.${path}` }]);
    expect(errors[0]?.detail).toContain(`Did you mean "${suggestion}"?`);
  },
);

test("a key that resembles nothing is refused in a group with the keys that there are", async () => {
  const { errors } = errorBodySchema.parse(await (await put({ analytics: { google: "G-1" } })).json());
  expect(errors).toMatchObject([{ attr: "embed_config.analytics.google" }]);
  expect(errors[0]?.detail).toBe(
    'analytics has no setting "google". It has data_layer. Begin the names of your own data with x_.',
  );
});

test("keys that begin with x_ are kept at every level, and embed_config keeps JSON that resembles no setting", async () => {
  const config = {
    x_crm: { id: 7 },
    mine: { deep: [1, null] },
    ui: { x_note: "a" },
    limits: { x_plan: "gold" },
    stage: { x_shot: 2 },
    analytics: { x_tag: "b" },
  };
  const response = await put(config);
  expect(response.status).toBe(200);
  expect(embedContextSchema.parse(await response.json()).embed_config).toEqual(config);
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
  [{ stage: { matte: "green" } }, "Allowed here: none, packed-alpha"],
])("the error about %j says the rule in words", async (config, rule) => {
  const { errors } = errorBodySchema.parse(await (await put(config)).json());
  expect(errors[0]?.detail).toContain(rule);
  expect(errors[0]?.detail).not.toMatch(/pattern|\/\^/);
});

test("wrong fields, unknown keys and names of nothing are answered at once, nulls count as left out", async () => {
  const run = await runService();
  const fields = {
    name: "",
    tts_type: "none",
    max_session_sec: -1,
    background_image: null,
    embed_config: {
      alowed_origins: [],
      voice: null,
      render: "x",
      ui: { radius: 99, foo: 1 },
      documents: ["none"],
    },
  };
  const response = await run.send("PUT", `${contexts}${run.demo.id}/`, fields);
  expect(response.status).toBe(400);
  const { errors } = errorBodySchema.parse(await response.json());
  expect(errors.map(({ attr, code }) => `${attr ?? ""} ${code}`).sort()).toEqual([
    "embed_config.alowed_origins invalid",
    "embed_config.documents.0 does_not_exist",
    "embed_config.render invalid_choice",
    "embed_config.ui.foo invalid",
    "embed_config.ui.radius max_value",
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
    [{ embed_config: [] }, ["embed_config", "name"]],
  ] as const) {
    const response = await run.send("PUT", `${contexts}${run.demo.id}/`, { ...fields, ...more });
    const { errors } = errorBodySchema.parse(await response.json());
    expect(errors.map(({ attr }) => attr)).toEqual(attrs);
  }
});
