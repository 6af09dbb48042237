import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { embedContextSchema, embedSnippetSchema } from "../../../src/protocol/settings/embed-context.ts";
import { errorBodySchema } from "../../../src/protocol/schema/error-body.ts";
import { defaultServiceSettings } from "../../../src/service/service-settings.ts";
import { apiKey, runService, temporaryFolder } from "../service-fixture.ts";

const contexts = "/api/console/b2c/contexts/";

test("contexts are listed, and can be found by their embed key", async () => {
  const run = await runService();
  const keys = async (path: string): Promise<string[]> =>
    ((await (await run.get(path)).json()) as unknown[]).map(
      (one) => embedContextSchema.parse(one).context_id,
    );
  expect((await keys(contexts)).toSorted()).toEqual(["ctx_amara", "ctx_demo", "ctx_ingrid", "ctx_tomas"]);
  expect(await keys(`${contexts}?context_id=ctx_demo`)).toEqual(["ctx_demo"]);
  expect(await (await run.get(`${contexts}?context_id=ctx_none`)).json()).toEqual([]);
});

test("a context is read by its UUID, never by its embed key, and never without a key", async () => {
  const run = await runService();
  const found = await run.get(`${contexts}${run.demo.id}/`);
  expect(embedContextSchema.parse(await found.json())).toMatchObject({ name: "Alder Home", is_active: true });
  expect((await run.get(`${contexts}ctx_demo/`)).status).toBe(404);
  expect((await run.request(`${contexts}${run.demo.id}/`)).status).toBe(401);
});

describe("PUT", () => {
  test("replaces everything: fields that are left out are reset", async () => {
    const run = await runService();
    run.pass(5);
    const response = await run.send("PUT", `${contexts}${run.demo.id}/`, {
      name: "Shop",
      tts_type: "visavis-rms",
      model_style: "tomas",
    });
    expect(response.status).toBe(200);
    const replaced = embedContextSchema.parse(await response.json());
    expect(replaced).toMatchObject({
      id: run.demo.id,
      context_id: "ctx_demo",
      name: "Shop",
      greeting: "",
      instructions: "",
      background_image: null,
      max_session_sec: 0,
      is_active: true,
      embed_config: {},
    });
    expect(Date.parse(replaced.updated_at) - Date.parse(replaced.created_at)).toBe(5_000);
    expect(await (await run.get(`${contexts}${run.demo.id}/`)).json()).toEqual(replaced);
  });

  const everySetting = {
    name: "n".repeat(200),
    tts_type: "visavis-rms",
    model_style: "tomas",
    greeting: "Welcome",
    instructions: "You sell chairs.",
    background_image: "room",
    max_session_sec: 2_147_483_647,
    is_active: false,
    embed_config: { allowed_origins: ["https://shop.example"], x_mine: { deep: [1, null] } },
  };

  test("accepts every setting up to its limits, and returns what was sent", async () => {
    const run = await runService();
    const response = await run.send("PUT", `${contexts}${run.demo.id}/`, everySetting);
    expect(response.status).toBe(200);
    const { id, context_id, created_at, updated_at, revision, ...settings } = embedContextSchema.parse(
      await response.json(),
    );
    expect(settings).toEqual(everySetting);
    expect(revision).toBe(2);
    expect([id, context_id]).toEqual([run.demo.id, "ctx_demo"]);
    expect([created_at, updated_at].map(Date.parse)).not.toContain(NaN);
    const shortest = await run.send("PUT", `${contexts}${run.demo.id}/`, {
      ...everySetting,
      name: "n",
      max_session_sec: 0,
    });
    expect(await shortest.json()).toMatchObject({ name: "n", max_session_sec: 0 });
  });

  test("accepts instructions of up to 200,000 characters in any script", async () => {
    const run = await runService();
    const put = (length: number) =>
      run.send("PUT", `${contexts}${run.demo.id}/`, { ...everySetting, instructions: "의".repeat(length) });
    const taken = await put(200_000);
    expect(taken.status).toBe(200);
    const refused = await put(200_001);
    expect(refused.status).toBe(400);
    expect(errorBodySchema.parse(await refused.json()).errors).toMatchObject([
      { attr: "instructions", code: "max_length" },
    ]);
  });

  test.each([
    [{ name: "" }, "name", "blank"],
    [{ name: "n".repeat(201) }, "name", "max_length"],
    [{ name: null }, "name", "null"],
    [{ name: undefined }, "name", "required"],
    [{ tts_type: undefined }, "tts_type", "required"],
    [{ model_style: undefined }, "model_style", "required"],
    [{ tts_type: "" }, "tts_type", "blank"],
    [{ model_style: "" }, "model_style", "blank"],
    [{ greeting: "g".repeat(5_001) }, "greeting", "max_length"],
    [{ tts_type: "mute" }, "tts_type", "does_not_exist"],
    [{ model_style: "nobody" }, "model_style", "does_not_exist"],
    [{ background_image: "none" }, "background_image", "does_not_exist"],
    [{ max_session_sec: -1 }, "max_session_sec", "min_value"],
    [{ max_session_sec: 2_147_483_648 }, "max_session_sec", "max_value"],
    [{ max_session_sec: 1.5 }, "max_session_sec", "invalid"],
    [{ is_active: "perhaps" }, "is_active", "invalid"],
  ])("%j is refused", async (fields, attr, code) => {
    const run = await runService();
    const base = { name: "Shop", tts_type: "visavis-slt", model_style: "mina" };
    const response = await run.send("PUT", `${contexts}${run.demo.id}/`, { ...base, ...fields });
    expect(response.status).toBe(400);
    expect(errorBodySchema.parse(await response.json()).errors).toContainEqual(
      expect.objectContaining({ attr, code }),
    );
  });

  test.each([
    ["application/x-www-form-urlencoded", new URLSearchParams()],
    ["multipart/form-data", new FormData()],
  ])("takes %s too", async (_, body) => {
    const run = await runService();
    const fields = {
      name: "Form",
      tts_type: "visavis-slt",
      model_style: "mina",
      is_active: "false",
      max_session_sec: "90",
      embed_config: '{"allowed_origins":["https://shop.example"]}',
    };
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    const response = await run.request(`${contexts}${run.demo.id}/`, {
      method: "PUT",
      body,
      headers: { "XP-API-KEY": "vv_test_key_0123456789" },
    });
    expect(embedContextSchema.parse(await response.json())).toMatchObject({
      is_active: false,
      max_session_sec: 90,
      embed_config: { allowed_origins: ["https://shop.example"] },
    });
  });

  test.each([
    ["on", true],
    ["True", true],
    ["1", true],
    ["0", false],
    ["off", false],
  ])("takes the words of checkboxes and libraries in forms: is_active=%s", async (word, isActive) => {
    const run = await runService();
    const response = await run.request(`${contexts}${run.demo.id}/`, {
      method: "PUT",
      body: new URLSearchParams({ name: "F", tts_type: "visavis-slt", model_style: "mina", is_active: word }),
      headers: { "XP-API-KEY": "vv_test_key_0123456789" },
    });
    expect(embedContextSchema.parse(await response.json()).is_active).toBe(isActive);
  });
});

test("the snippet is ready to paste, with every text escaped", async () => {
  const run = await runService();
  const config = { ui: { avatar_name: `"><script>x</script>` } };
  await run.store.contexts.replace(run.organizationId, run.demo.id, { ...run.demo, embed_config: config }, 1);
  const response = await run.get(`${contexts}${run.demo.id}/embed/`);
  const snippet = embedSnippetSchema.parse(await response.json());
  expect(snippet).toEqual({
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
  const run = await runService({
    settings: { ...defaultServiceSettings, publicUrl: "https://relay.example", publicFolder },
  });
  const response = await run.get(`${contexts}${run.demo.id}/embed/`);
  const digest = createHash("sha384").update(loader).digest("base64");
  const version = createHash("sha384").update(loader).digest("base64url").slice(0, 16);
  expect(embedSnippetSchema.parse(await response.json()).script_pinned).toBe(
    `<script async src="https://relay.example/embed/${version}/embed.js" integrity="sha384-${digest}" ` +
      'crossorigin="anonymous" data-context="ctx_demo"></script>',
  );
});

describe("create and delete", () => {
  const settings = { name: "Second shop", tts_type: "visavis-rms", model_style: "tomas" };

  test("a context is created with its own UUID and embed key, and can be deleted", async () => {
    const run = await runService();
    const response = await run.send("POST", contexts, { ...settings, background_image: "" });
    expect(response.status).toBe(201);
    const created = embedContextSchema.parse(await response.json());
    expect(created).toMatchObject({ ...settings, background_image: null, is_active: true, embed_config: {} });
    expect(created.context_id).toMatch(/^ctx_[A-Za-z0-9_-]{12}$/);
    expect(await (await run.get(`${contexts}?context_id=${created.context_id}`)).json()).toEqual([created]);
    const remove = () =>
      run.request(`${contexts}${created.id}/`, { method: "DELETE", headers: { "XP-API-KEY": apiKey } });
    const removed = await remove();
    expect([removed.status, await removed.text()]).toEqual([204, ""]);
    expect((await run.get(`${contexts}${created.id}/`)).status).toBe(404);
    expect((await remove()).status).toBe(404);
  });

  test("unknown names are refused, and in embed_config they are warnings", async () => {
    const run = await runService();
    const embed_config = { prompt: "none", document: "none", stt_type: "none", mcp_servers: ["none"] };
    const refused = await run.send("POST", contexts, { ...settings, tts_type: "mute", embed_config });
    expect(refused.status).toBe(400);
    const { errors } = errorBodySchema.parse(await refused.json());
    expect(errors).toMatchObject([{ attr: "tts_type", code: "does_not_exist" }]);
    const created = await run.send("POST", contexts, { ...settings, embed_config });
    const { warnings = [] } = embedContextSchema.parse(await created.json());
    expect(warnings.map(({ attr, code }) => `${attr} ${code}`).toSorted()).toEqual(
      [
        "embed_config.document",
        "embed_config.mcp_servers.0",
        "embed_config.prompt",
        "embed_config.stt_type",
      ].map((attr) => `${attr} does_not_exist`),
    );
  });
});
