import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { errorBodySchema } from "../../../src/protocol/error-body.ts";
import { ttsResponseSchema } from "../../../src/protocol/speech.ts";
import { createOperatorFetch } from "../../../src/service/guarded-fetch.ts";
import { decodeAudio } from "../../../src/service/speech/decode-audio.ts";
import { createOpenAiSynthesizer } from "../../../src/service/speech/openai-synthesizer.ts";
import { encodeWav } from "../../../src/service/wav.ts";
import { plainAudioDesk, runService } from "../service-fixture.ts";
import type { RunningService } from "../service-fixture.ts";
import { openAiServer, type SeenRequest } from "../speech/openai-server.ts";

const mp3 = readFileSync(join(import.meta.dirname, "../speech/fixtures/tone-440-stereo.mp3"));

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

/** The service whose every voice is one at a server of the OpenAI protocol. */
async function runWithCloudVoice(speech: (request: SeenRequest) => Uint8Array) {
  const { baseUrl, requests } = await openAiServer({ speech });
  const engine = createOpenAiSynthesizer({
    audio: plainAudioDesk,
    fetch: createOperatorFetch(),
    settings: {
      type: "openai",
      base_url: baseUrl,
      voice: "alloy",
      response_format: "wav",
      timeout_sec: 5,
    },
    apiKey: undefined,
    model: null,
    voiceSettings: null,
  });
  return { run: await runService({ synthesizer: () => engine }), requests };
}

test("speech is MP3 where it is asked for and the engine makes it, with the words and visemes of just that file", async () => {
  const { run, requests } = await runWithCloudVoice(({ fields }) =>
    fields["response_format"] === "mp3" ? mp3 : encodeWav(new Int16Array(2_400).fill(900), 24_000),
  );
  const speak = await speechSession(run, { capability: ["TTS"] });
  const ask = async (body: object) =>
    ttsResponseSchema.parse(await (await speak({ text: "Hello there.", ...body })).json());
  const { audio, format, words, visemes } = await ask({ output_format: "mp3" });
  expect(format).toBe("mp3");
  expect(Buffer.from(audio, "base64").equals(mp3)).toBe(true);
  const { pcm, sampleRateHz } = decodeAudio(mp3);
  expect(words.map(({ text }) => text)).toEqual(["Hello", "there."]);
  expect(visemes.at(-1)!.end).toBeCloseTo((pcm.length * 1_000) / sampleRateHz, 3);
  const plain = await ask({});
  expect(plain.format).toBe("wav");
  expect(Buffer.from(plain.audio, "base64").toString("latin1", 0, 4)).toBe("RIFF");
  expect(requests.map(({ fields }) => fields["response_format"])).toEqual(["mp3", "wav"]);
});

test("an engine that makes no MP3 answers WAV, and the answer says so", async () => {
  const speak = await speechSession(await runService(), { capability: ["TTS"] });
  const answer = ttsResponseSchema.parse(await (await speak({ text: "hello", output_format: "mp3" })).json());
  expect(answer.format).toBe("wav");
  expect(Buffer.from(answer.audio, "base64").toString("latin1", 0, 4)).toBe("RIFF");
});

test.each([
  [{ text: "hello", output_format: "ogg" }, "output_format"],
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
