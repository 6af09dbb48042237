import { expect, test } from "vitest";
import {
  backgroundImageSchema,
  llmTypeSchema,
  modelStyleSchema,
  ttsTypeSchema,
} from "../../../src/protocol/catalogue.ts";
import { runService } from "../service-fixture.ts";

test("the catalogues of the first start, with addresses a browser can load", async () => {
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
  expect(await list("/api/v1/prompt/")).toEqual([]);
  const images = (await list("/api/v1/background_image/")).map((one) => backgroundImageSchema.parse(one));
  expect(images.map(({ image }) => image)).toEqual([
    "https://relay.example/backgrounds/room.webp",
    "https://relay.example/backgrounds/calm.webp",
  ]);
  const room = await run.get("/api/v1/background_image/room/");
  expect(await room.json()).toEqual(images[0]);
  expect((await run.get("/api/v1/background_image/none/")).status).toBe(404);
});

test("health and readiness", async () => {
  const run = await runService();
  expect((await run.request("/healthz")).status).toBe(200);
  expect((await run.request("/readyz")).status).toBe(200);
  await run.store.close();
  expect((await run.request("/readyz")).status).toBe(503);
  expect((await run.request("/healthz")).status).toBe(200);
});
