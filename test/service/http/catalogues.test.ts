import { expect, test } from "vitest";
import {
  backgroundImageSchema,
  llmTypeSchema,
  modelStyleSchema,
  textNormalizationDownloadSchema,
  ttsTypeSchema,
} from "../../../src/protocol/catalogue.ts";
import { formResourcesSchema } from "../../../src/protocol/console/form-resources.ts";
import { errorBodySchema } from "../../../src/protocol/schema/error-body.ts";
import { runService } from "../service-fixture.ts";

test("the catalogues of the first start have addresses that a browser can load", async () => {
  const run = await runService();
  const list = async (path: string) => (await (await run.get(path)).json()) as unknown[];
  const styles = (await list("/api/v1/settings/modelstyle/")).map((one) => modelStyleSchema.parse(one));
  expect(styles.map(({ name }) => name)).toEqual(["mina", "tomas", "amara", "ingrid"]);
  expect(styles[0]?.files).toEqual([
    { name: "character", file: "https://relay.example/characters/mina.json" },
    { name: "poster", file: "https://relay.example/characters/mina-poster.webp" },
    { name: "porthole", file: "https://relay.example/characters/mina-porthole.webp" },
  ]);
  expect(styles[0]?.configs.map(({ key, value }) => [key, value])).toEqual([
    ["matte", "packed-alpha"],
    ["title", "Mina"],
  ]);
  const voices = (await list("/api/v1/settings/tts_type/")).map((one) => ttsTypeSchema.parse(one));
  expect(voices.map(({ name, service, model }) => [name, service, model])).toEqual(
    ["slt", "rms", "awb", "kal", "kal16"].map((voice) => [`visavis-${voice}`, "visavis", "flite"]),
  );
  const models = (await list("/api/v1/settings/llm_type/")).map((one) => llmTypeSchema.parse(one));
  expect(models).toEqual([{ name: "visavis-retrieval", service: "visavis" }]);
  expect(await list("/api/v1/prompt/")).toMatchObject([{ prompt_id: "visavis-assistant" }]);
  const images = (await list("/api/v1/background_image/")).map((one) => backgroundImageSchema.parse(one));
  expect(images.map(({ image }) => image)).toEqual([
    "https://relay.example/backgrounds/room.webp",
    "https://relay.example/backgrounds/calm.webp",
  ]);
  const room = await run.get("/api/v1/background_image/room/");
  expect(await room.json()).toEqual(images[0]);
  expect((await run.get("/api/v1/background_image/none/")).status).toBe(404);
});

test("/healthz and /readyz report health and readiness", async () => {
  const run = await runService();
  expect((await run.request("/healthz")).status).toBe(200);
  expect((await run.request("/readyz")).status).toBe(200);
  await run.store.close();
  expect((await run.request("/readyz")).status).toBe(503);
  expect((await run.request("/healthz")).status).toBe(200);
});

const styles = "/api/v1/settings/modelstyle/";

test.each([
  ["webrtc", 4],
  ["android", 0],
  ["ios", 0],
  ["studio", 0],
  ["onpremise", 0],
])("model styles of the platform %s", async (platform, count) => {
  const run = await runService();
  const response = await run.get(`${styles}?platform_type=${platform}`);
  expect(response.status).toBe(200);
  expect(await response.json()).toHaveLength(count);
});

test("an unknown platform is named in the error", async () => {
  const run = await runService();
  const response = await run.get(`${styles}?platform_type=windows`);
  expect(response.status).toBe(400);
  expect(errorBodySchema.parse(await response.json()).errors).toEqual([
    expect.objectContaining({ code: "invalid_choice", attr: "platform_type" }),
  ]);
});

test("entries whose engine is not available are not listed and cannot be used", async () => {
  const run = await runService({
    synthesizer: () => null,
    languageModel: () => null,
    ...({ recognizer: () => null } as object),
  });
  await run.store.catalogue.put({
    kind: "stt_type",
    id: "ears",
    name: "ears",
    organizationId: null,
    createdAtMs: 0,
    body: { name: "ears", service: "onpremise", options: null },
  });
  const listed = async (path: string) => (await (await run.get(path)).json()) as unknown;
  expect(await listed("/api/v1/settings/tts_type/")).toEqual([]);
  expect(await listed("/api/v1/settings/llm_type/")).toEqual([]);
  expect(await listed("/api/v1/settings/stt_type/")).toEqual([]);
  expect(await listed("/api/console/b2c/form-resources/")).toMatchObject({ tts_types: [] });
  const faults = async (response: Response) =>
    errorBodySchema.parse(await response.json()).errors.map(({ attr, code }) => [attr, code]);
  const created = await run.send("POST", "/api/v1/session/", {
    capability: ["LLM", "TTS", "STT"],
    prompt: run.demo.id,
    llm_type: "visavis-retrieval",
    tts_type: "visavis-slt",
    stt_type: "ears",
  });
  expect(await faults(created)).toEqual(
    ["llm_type", "tts_type", "stt_type"].map((attr) => [attr, "does_not_exist"]),
  );
  const context = await run.send("POST", "/api/console/b2c/contexts/", {
    name: "Shop",
    tts_type: "visavis-slt",
    model_style: "mina",
    embed_config: { llm_type: "visavis-retrieval", stt_type: "ears" },
  });
  expect(await faults(context)).toEqual([["tts_type", "does_not_exist"]]);
  expect(await run.get("/api/console/b2c/contexts/").then((list) => list.json())).toHaveLength(4);
});

test("the form resources list what a context can use", async () => {
  const run = await runService();
  const response = await run.get("/api/console/b2c/form-resources/");
  const options = formResourcesSchema.parse(await response.json());
  expect(options.tts_types.map(({ name }) => name)).toContain("visavis-slt");
  expect(options.model_styles.map(({ name }) => name)).toContain("mina");
  expect(options.background_images.map(({ image }) => image)).toContain(
    "https://relay.example/backgrounds/room.webp",
  );
});

test("a normalization config's rules are downloaded in order, by a link that opens for ten minutes", async () => {
  const run = await runService();
  const base = "/api/v1/settings/text_normalization_config/";
  await run.store.catalogue.put({
    kind: "text_normalization_config",
    id: "n1",
    name: "Shop words",
    organizationId: run.organizationId,
    createdAtMs: 0,
    body: {
      textnormalizationconfig_id: "n1",
      name: "Shop words",
      pre_hook_url: null,
      post_hook_url: null,
      created_at: "2026-01-01T00:00:00.000Z",
      hook_enabled: false,
      pre_hook_args: null,
      post_hook_args: null,
    },
    engine: {
      rules: [
        { order: 20, pattern: 'say "hi", twice', replacement: "a\nb", locale: "en", description: "Quotes" },
        { order: 10, pattern: "\\bcm\\b", replacement: "centimetres", locale: null },
      ],
    },
  });
  expect(await (await run.get(base)).json()).toContainEqual(expect.objectContaining({ name: "Shop words" }));
  const response = await run.get(`${base}n1/download/`);
  const download = textNormalizationDownloadSchema.parse(await response.json());
  expect(download).toMatchObject({ config_id: "n1", config_name: "Shop words" });
  const { pathname, search } = new URL(download.file_url);
  const file = await run.request(pathname + search, { headers: { Accept: "text/csv" } });
  expect(file.headers.get("content-type")).toContain("text/csv");
  expect(await file.text()).toBe(
    "order,pattern,replacement,locale,description\r\n" +
      "10,\\bcm\\b,centimetres,,\r\n" +
      '20,"say ""hi"", twice","a\nb",en,Quotes\r\n',
  );
  expect((await run.request(`${pathname}${search}x`)).status).toBe(403);
  expect((await run.request(pathname)).status).toBe(403);
  expect((await run.request(`${base}other/file/${search}`)).status).toBe(403);
  run.pass(601);
  expect((await run.request(pathname + search)).status).toBe(403);
  expect((await run.get(`${base}none/download/`)).status).toBe(404);
});
