import { expect, test } from "vitest";
import { errorBodySchema } from "../../../src/protocol/error-body.ts";
import { ttsResponseSchema } from "../../../src/protocol/speech.ts";
import { runService } from "../service-fixture.ts";
import type { RunningService } from "../service-fixture.ts";

async function speechSession(run: RunningService, fields: Record<string, unknown> = {}) {
  const id = await run.newSession(fields);
  return (body: unknown) => run.send("POST", `/api/v1/session/${id}/tts/`, body);
}

test("speech is a WAV with its words and visemes", async () => {
  const run = await runService();
  const speak = await speechSession(run, { capability: ["TTS"] });
  const response = await speak({ text: "hello" });
  expect(response.status).toBe(200);
  const { audio, words, visemes } = ttsResponseSchema.parse(await response.json());
  const wav = Buffer.from(audio, "base64");
  expect(wav.toString("latin1", 0, 4) + wav.toString("latin1", 8, 12)).toBe("RIFFWAVE");
  expect(wav.readUInt32LE(4)).toBe(wav.length - 8);
  expect(wav.readUInt32LE(24)).toBe(16_000);
  expect(wav.readUInt32LE(40)).toBe(16 * 50 * 2);
  expect(words).toEqual([{ text: "hello", start: 0, end: 50 }]);
  expect(visemes).toHaveLength(1);
});

test.each([
  [{ text: "hello", output_format: "mp3" }, "output_format"],
  [{ text: "" }, "text"],
  [{ text: "안녕" }, "text"],
  [{ text: "a".repeat(5_001) }, "text"],
])("%j cannot be spoken, and the answer names the field", async (body, attr) => {
  const run = await runService();
  const response = await (await speechSession(run))(body);
  expect(response.status).toBe(400);
  expect(errorBodySchema.parse(await response.json()).errors[0]?.attr).toBe(attr);
});

test("a session without a voice cannot speak, and an ended one neither", async () => {
  const run = await runService();
  const speak = await speechSession(run, { capability: ["LLM"], tts_type: undefined });
  expect((await speak({ text: "hello" })).status).toBe(400);
  const session = await run.newSession();
  await run.event(session, "SESSION_END");
  const ended = await run.send("POST", `/api/v1/session/${session}/tts/`, { text: "hello" });
  expect(ended.status).toBe(400);
  expect(errorBodySchema.parse(await ended.json())).toMatchObject({ type: "client_error" });
});

test("the media engine gets speech, or why there is none, and never a rejection", async () => {
  const run = await runService();
  const session = await run.newSession();
  const { signal } = new AbortController();
  expect(await run.hooks.synthesize(session, "hello", signal)).toMatchObject({ ok: true });
  expect(await run.hooks.synthesize(session, "안녕", signal)).toMatchObject({
    ok: false,
    code: "unspeakable_text",
  });
  await run.store.close();
  expect(await run.hooks.synthesize(session, "hello", signal)).toMatchObject({
    ok: false,
    code: "engine_failed",
  });
});

test("an exchange that the engine cannot answer is a fault of the offer or of ours", async () => {
  const run = await runService();
  const session = await run.newSession();
  const exchange = () =>
    run.send("POST", `/api/v1/session/${session}/exchange/`, { client_sdp: { type: "offer", sdp: "v=0" } });
  run.media.failure = Object.assign(new Error("no"), { code: "invalid_offer" });
  expect(errorBodySchema.parse(await (await exchange()).json()).errors[0]?.attr).toBe("client_sdp.sdp");
  run.media.failure = new Error("secret path");
  const failed = await exchange();
  expect(failed.status).toBe(500);
  expect(await failed.text()).not.toContain("secret path");
  expect((await run.status(session)).status).toBe("CREATED");
});
