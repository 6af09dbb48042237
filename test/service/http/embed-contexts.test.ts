import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import type { EmbedContextAnswer } from "../../../src/protocol/settings/embed-context.ts";
import { changeEmbedConfig } from "../../../src/service/administration/contexts/avatars.ts";
import { filled, jsonOf, refusalOf, statusOf } from "../answers.ts";
import {
  apiKey,
  type RunningService,
  runService,
  settingsWith,
  temporaryFolder,
} from "../service-fixture.ts";
import { testWith } from "./shared-service.ts";

const test = testWith(runService);

const contexts = "/api/console/b2c/contexts/";
const base = { name: "Shop", tts_type: "visavis-slt", model_style: "mina" };
const pathOf = ({ demo }: RunningService) => `${contexts}${demo.id}/`;

const answerTo = (run: RunningService, config: unknown): Promise<EmbedContextAnswer> =>
  jsonOf(run.configure(config));
const warned = ({ warnings = [] }: EmbedContextAnswer) =>
  warnings.map(({ attr, code }) => `${attr ?? "-"} ${code}`).toSorted();

test("contexts are listed, and can be found by their embed key", async ({ own: run }) => {
  const keys = async (query = "") =>
    (await jsonOf<EmbedContextAnswer[]>(run.get(contexts + query))).map(({ context_id }) => context_id);
  expect((await keys()).toSorted()).toEqual(["ctx_amara", "ctx_demo", "ctx_ingrid", "ctx_tomas"]);
  expect(await keys("?context_id=ctx_demo")).toEqual(["ctx_demo"]);
  expect(await keys("?context_id=ctx_none")).toEqual([]);
});

test("a context is read by its UUID, never by its embed key, and never without a key", async ({
  own: run,
}) => {
  expect(await jsonOf(run.get(pathOf(run)))).toMatchObject({ name: "Alder Home", is_active: true });
  expect(await statusOf(run.get(`${contexts}ctx_demo/`))).toBe(404);
  expect(await statusOf(run.request(pathOf(run)))).toBe(401);
});

describe("PUT", () => {
  test("replaces everything: fields that are left out are reset", async ({ own: run }) => {
    run.pass(5);
    const settings = { name: "Shop", tts_type: "visavis-rms", model_style: "tomas" };
    const replaced = await jsonOf<EmbedContextAnswer>(run.send("PUT", pathOf(run), settings));
    expect(replaced).toMatchObject({
      ...{ ...settings, id: run.demo.id, context_id: "ctx_demo", greeting: "", instructions: "" },
      ...{ background_image: null, max_session_sec: 0, is_active: true, embed_config: {} },
    });
    expect(Date.parse(replaced.updated_at) - Date.parse(replaced.created_at)).toBe(5_000);
    expect(await jsonOf(run.get(pathOf(run)))).toEqual(replaced);
  });

  test("accepts every setting up to its limits, and returns what was sent", async ({ own: run }) => {
    const sent = {
      ...{ name: "n".repeat(200), tts_type: "visavis-rms", model_style: "tomas", greeting: "Welcome" },
      ...{ instructions: "의".repeat(200_000), background_image: "room", max_session_sec: 2_147_483_647 },
      is_active: false,
      embed_config: { allowed_origins: ["https://shop.example"], x_mine: { deep: [1, null] } },
    };
    const answer = await jsonOf<EmbedContextAnswer>(run.send("PUT", pathOf(run), sent));
    const { id, context_id, created_at, updated_at, revision, ...settings } = answer;
    expect(settings).toEqual(sent);
    expect([id, context_id, revision]).toEqual([run.demo.id, "ctx_demo", 2]);
    expect([created_at, updated_at].map(Date.parse)).not.toContain(NaN);
    const shortest = { name: "n", max_session_sec: 0 };
    expect(await jsonOf(run.send("PUT", pathOf(run), { ...sent, ...shortest }))).toMatchObject(shortest);
  });

  test.for<[fields: object, ...faults: string[]]>([
    [{ name: "" }, "name blank"],
    [{ name: "  ", background_image: "" }, "name blank"],
    [{ name: "  ", background_image: "", embed_config: [] }, "name blank"],
    [{ name: "n".repeat(201) }, "name max_length"],
    [{ name: null }, "name null"],
    [{ name: undefined }, "name required"],
    [{ tts_type: undefined }, "tts_type required"],
    [{ model_style: undefined }, "model_style required"],
    [{ tts_type: "" }, "tts_type blank"],
    [{ model_style: "" }, "model_style blank"],
    [{ greeting: "g".repeat(5_001) }, "greeting max_length"],
    [{ instructions: "의".repeat(200_001) }, "instructions max_length"],
    // A wrong voice is an error, and a wrong name in `embed_config` is none beside it.
    [{ tts_type: "mute", embed_config: { prompt: "none" } }, "tts_type does_not_exist"],
    [{ model_style: "nobody" }, "model_style does_not_exist"],
    [{ background_image: "none" }, "background_image does_not_exist"],
    [{ max_session_sec: -1 }, "max_session_sec min_value"],
    [{ max_session_sec: 2_147_483_648 }, "max_session_sec max_value"],
    [{ max_session_sec: 1.5 }, "max_session_sec invalid"],
    [{ is_active: "perhaps" }, "is_active invalid"],
    [
      {
        ...{
          name: "",
          tts_type: "none",
          model_style: undefined,
          max_session_sec: -1,
          background_image: null,
        },
      },
      ...["name blank", "model_style required", "max_session_sec min_value", "tts_type does_not_exist"],
    ],
  ])("%j is refused: %s", async ([fields, ...faults], { run }) => {
    const refused = await refusalOf(run.send("PUT", pathOf(run), { ...base, ...fields }));
    expect(refused.toSorted()).toEqual([400, ...faults].toSorted());
  });

  test.for([
    ["application/x-www-form-urlencoded", () => new URLSearchParams()],
    ["multipart/form-data", () => new FormData()],
  ] as const)("takes %s too, with the words of checkboxes and libraries", async ([, emptyForm], { run }) => {
    const put = (fields: Record<string, string>) => {
      const body = filled(emptyForm(), { ...base, ...fields });
      return jsonOf(run.request(pathOf(run), { method: "PUT", body, headers: { "XP-API-KEY": apiKey } }));
    };
    const embed_config = { allowed_origins: ["https://shop.example"] };
    const fields = { is_active: "false", max_session_sec: "90", embed_config: JSON.stringify(embed_config) };
    expect(await put(fields)).toMatchObject({ is_active: false, max_session_sec: 90, embed_config });
    for (const word of ["on", "True", "1"])
      expect(await put({ is_active: word })).toMatchObject({ is_active: true });
    for (const word of ["0", "off"])
      expect(await put({ is_active: word })).toMatchObject({ is_active: false });
  });
});

test("the snippet is ready to paste, with every text escaped", async ({ own: run }) => {
  await run.configure({ ui: { avatar_name: `"><script>x</script>` } });
  expect(await jsonOf(run.get(`${pathOf(run)}embed/`))).toEqual({
    viewer_url: "https://relay.example/viewer/ctx_demo",
    script: '<script async src="https://relay.example/embed.js" data-context="ctx_demo"></script>',
    script_pinned: null,
    iframe:
      '<iframe src="https://relay.example/viewer/ctx_demo" width="384" height="640" ' +
      'allow="microphone; autoplay; fullscreen" ' +
      'title="&quot;&gt;&lt;script&gt;x&lt;/script&gt;, AI assistant"></iframe>',
    width: 384,
    height: 640,
  });
});

test("there is a second snippet with the loader's hash if the loader is known", async () => {
  const publicFolder = temporaryFolder();
  const loader = "(() => {})();";
  writeFileSync(join(publicFolder, "embed.js"), loader);
  const run = await runService({ settings: settingsWith({ publicFolder }) });
  const digest = (encoding: "base64" | "base64url") => createHash("sha384").update(loader).digest(encoding);
  const version = digest("base64url").slice(0, 16);
  expect(await jsonOf(run.get(`${pathOf(run)}embed/`))).toMatchObject({
    script_pinned:
      `<script async src="https://relay.example/embed/${version}/embed.js" integrity="sha384-${digest("base64")}" ` +
      'crossorigin="anonymous" data-context="ctx_demo"></script>',
  });
});

test("a context is created with its own UUID and embed key, and can be deleted", async ({ run }) => {
  const sent = run.send("POST", contexts, { ...base, background_image: "" });
  const created = await jsonOf<EmbedContextAnswer>(sent);
  expect(created).toMatchObject({ ...base, background_image: null, is_active: true, embed_config: {} });
  expect(created.context_id).toMatch(/^ctx_[A-Za-z0-9_-]{12}$/);
  expect(await jsonOf(run.get(`${contexts}?context_id=${created.context_id}`))).toEqual([created]);
  const path = `${contexts}${created.id}/`;
  const remove = () => run.request(path, { method: "DELETE", headers: { "XP-API-KEY": apiKey } });
  const removed = await remove();
  expect([removed.status, await removed.text()]).toEqual([204, ""]);
  expect([await statusOf(run.get(path)), await statusOf(remove())]).toEqual([404, 404]);
});

describe("of embed_config", () => {
  test.for<[config: object, attr: string, suggestion: string]>([
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
  ])(
    "%j is kept, with a warning that names the setting that was meant",
    async ([config, path, meant], { run }) => {
      const answer = await answerTo(run, config);
      expect(answer.embed_config).toEqual(config);
      expect(warned(answer)).toEqual([`embed_config.${path} invalid`]);
      expect(answer.warnings?.[0]?.detail).toContain(`Did you mean "${meant}"?`);
    },
  );

  test("a key that resembles nothing gets a warning with the keys that there are", async ({ run }) => {
    const { warnings } = await answerTo(run, { analytics: { google: "G-1" } });
    const detail =
      'analytics has no setting "google". It has data_layer. Begin the names of your own data with x_.';
    expect(warnings).toMatchObject([{ attr: "embed_config.analytics.google", detail }]);
  });

  test.for<[config: object, rule: string]>([
    [{ ui: { brand_color: "red" } }, "A colour is # and three or six hexadecimal digits: #0d6660."],
    [{ allowed_origins: ["shop.example"] }, "An origin is http:// or https://"],
    [{ ui: { privacy_url: "http://shop.example" } }, "A link begins with https://"],
    [{ ui: { font: "a;b" } }, "A font is a list of family names"],
    [{ mcp_tools: ["cancel"] }, "A tool is named by its server, a slash and its own name"],
    [{ time_zone: "Berlin time" }, "A time zone is named by its region and its place"],
    [{ stage: { matte: "green" } }, "Allowed here: none, packed-alpha"],
  ])("the warning about %j says the rule in words", async ([config, rule], { run }) => {
    const { warnings } = await answerTo(run, config);
    expect(warnings?.[0]?.detail).toContain(rule);
    expect(warnings?.[0]?.detail).not.toMatch(/pattern|\/\^/);
  });

  test.for<[config: object, ...warnings: string[]]>([
    // Keys that begin with x_ are data of the owner's own at every level.
    [{ x_crm: { id: 7 }, ui: { x_note: "a" }, limits: { x_plan: "gold" }, stage: { x_shot: 2 } }],
    [{ analytics: { x_tag: "b" }, voice: null }],
    [{ time_zone: "Atlantis/Center" }, "time_zone does_not_exist"],
    [
      { alowed_origins: [], render: "x", ui: { radius: 99, foo: 1 }, documents: ["none"] },
      ...["alowed_origins invalid", "documents.0 does_not_exist", "render invalid_choice"],
      ...["ui.foo invalid", "ui.radius max_value"],
    ],
    [
      { prompt: "none", document: "none", stt_type: "none", mcp_servers: ["none"] },
      ...["document", "mcp_servers.0", "prompt", "stt_type"].map((attr) => `${attr} does_not_exist`),
    ],
  ])("%j is kept; its owner is warned of %j", async ([config, ...warnings], { run }) => {
    const wanted = warnings.map((each) => `embed_config.${each}`);
    const posted = run.send("POST", contexts, { ...base, embed_config: config });
    for (const answer of [await answerTo(run, config), await jsonOf<EmbedContextAnswer>(posted)])
      expect([answer.embed_config, warned(answer)]).toEqual([config, wanted]);
  });

  test.for([
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
  ])("%s is returned as it was sent, by every operation", async (json, { run }) => {
    const body = `${JSON.stringify(base).slice(0, -1)},"embed_config":${json}}`;
    const headers = { "Content-Type": "application/json", "XP-API-KEY": apiKey };
    for (const response of [
      await run.request(pathOf(run), { method: "PUT", body, headers }),
      await run.request(contexts, { method: "POST", body, headers }),
      await run.get(pathOf(run)),
      await run.get(`${contexts}?context_id=ctx_demo`),
    ]) {
      expect(response.status).toBeLessThan(300);
      expect(await response.text()).toContain(`"embed_config":${json},`);
    }
    // The avatar works as if nothing had been set.
    const session = { capability: ["TTS"], tts_type: "visavis-slt", extra_data: { context_id: "ctx_demo" } };
    expect(await statusOf(run.send("POST", "/api/v1/session/", session))).toBe(201);
    expect(await statusOf(run.get(`${pathOf(run)}embed/`))).toBe(200);
  });

  test("what is valid works beside what is not, and wrong entries of a list are left out", async ({
    run,
  }) => {
    const answer = await answerTo(run, {
      allowed_origins: ["https://shop.example", "shop.example", "https://other.example"],
      limits: { minutes_per_day: "many", turns_per_day: 7 },
      documents: 5,
      theme: "dark",
    });
    expect(answer.warnings?.map(({ attr }) => attr)).toEqual(
      ["allowed_origins.1", "documents", "limits.minutes_per_day", "theme"].map((at) => `embed_config.${at}`),
    );
    expect((await run.store.contexts.byContextId(run.organizationId, "ctx_demo"))?.config).toEqual({
      allowed_origins: ["https://shop.example", "https://other.example"],
      limits: { turns_per_day: 7 },
      theme: "dark",
    });
  });

  test("what has no effect survives changes of other settings by the service itself", async ({ run }) => {
    const config = { theme: "dark", limits: { minutes_per_day: "many" } };
    await run.configure(config);
    const edit = { organizationId: run.organizationId, id: run.demo.id, by: "owner", nowMs: 1 };
    await changeEmbedConfig(run.store, edit, (given) => ({ ...given, retention_days: 3 }));
    const found = await jsonOf<EmbedContextAnswer>(run.get(pathOf(run)));
    expect(found.embed_config).toEqual({ ...config, retention_days: 3 });
  });

  test("what was saved with unknown keys is still read", async ({ own: run }) => {
    const embed_config = { alowed_origins: [], ui: { colour: "red" } };
    await run.store.contexts.replace(run.organizationId, run.demo.id, { ...run.demo, embed_config }, 1);
    expect(await jsonOf(run.get(pathOf(run)))).toMatchObject({ embed_config });
  });
});
