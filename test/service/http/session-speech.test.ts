import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { TtsType } from "../../../src/protocol/catalogue.ts";
import { errorBodySchema } from "../../../src/protocol/schema/error-body.ts";
import { ttsResponseSchema } from "../../../src/protocol/speech/speech.ts";
import { createOutboundCalls } from "../../../src/service/outbound/outbound-calls.ts";
import { decodeAudio } from "../../../src/service/audio/decode-audio.ts";
import { createOpenAiSynthesizer } from "../../../src/service/speech/engines/openai/openai-engine.ts";
import { encodeWav } from "../../../src/service/audio/wav-file.ts";
import {
  plainAudioProcessor,
  quietSynthesizer,
  type RunningService,
  runService,
} from "../service-fixture.ts";
import { openAiServer, type SeenRequest } from "../speech/engines/openai/openai-server.ts";

const mp3 = readFileSync(join(import.meta.dirname, "../audio/fixtures/tone-440-stereo.mp3"));

async function speechSession(run: RunningService, fields: Record<string, unknown> = {}) {
  const id = await run.newSession(fields);
  return (body: unknown) => run.send("POST", `/api/v1/session/${id}/tts/`, body);
}

test("speech is returned as WAV with its words and visemes", async () => {
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

test("a session for speech alone answers nothing and recognizes nothing", async () => {
  const run = await runService();
  const made = await run.send("POST", "/api/v1/session/", { capability: ["TTS"], tts_type: "visavis-slt" });
  const path = `/api/v1/session/${((await made.json()) as { session_id: string }).session_id}`;
  const asked = await run.send("POST", `${path}/llm/v2/`, { messages: [{ role: "user", content: "Hi" }] });
  const form = new FormData();
  form.append("audio", new Blob(["x"]), "a.wav");
  const heard = await run.request(`${path}/stt/`, { method: "POST", body: form });
  expect([asked.status, heard.status]).toEqual([400, 400]);
});

test("speech has what a caller draws from, and the caller's rate", async () => {
  const rates: unknown[] = [];
  const run = await runService({
    synthesizer: () => ({
      ...quietSynthesizer,
      synthesize: (request) => {
        rates.push(request.rate);
        return quietSynthesizer.synthesize(request);
      },
    }),
  });
  const speak = await speechSession(run, { capability: ["STF_ONPREMISE", "TTS"], model_style: "mina" });
  const { accents, loudness } = ttsResponseSchema.parse(
    await (await speak({ text: "hello", rate: 1.5 })).json(),
  );
  expect(accents).toMatchObject([{ start: 0, end: 50 }]);
  expect(loudness).toEqual([]);
  expect(rates).toEqual([1.5]);
  expect((await speak({ text: "hello", rate: 3 })).status).toBe(400);
});

/** The service with all voices at a server of the OpenAI protocol. */
async function runWithCloudVoice(speech: (request: SeenRequest) => Uint8Array) {
  const { baseUrl, requests } = await openAiServer({ speech });
  const engine = createOpenAiSynthesizer({
    audio: plainAudioProcessor,
    fetch: createOutboundCalls({ allowPrivate: false }).engine({ isOperators: true }),
    baseUrl,
    settings: {
      type: "openai",
      voice: "alloy",
      response_format: "wav",
      timeout_sec: 5,
    },
    apiKey: undefined,
    isAzure: false,
    model: null,
    voiceSettings: null,
  });
  return { run: await runService({ synthesizer: () => engine }), requests };
}

test("speech is MP3 if it is requested and the engine supports it, with the words and visemes of that very file", async () => {
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

test("an engine without MP3 returns WAV, and the answer says so", async () => {
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

test("speech is refused for a session without a voice and for an ended one", async () => {
  const run = await runService();
  const speak = await speechSession(run, { capability: ["LLM"], tts_type: undefined });
  expect((await speak({ text: "hello" })).status).toBe(400);
  const session = await run.newSession();
  await run.event(session, "SESSION_END");
  const ended = await run.send("POST", `/api/v1/session/${session}/tts/`, { text: "hello" });
  expect(ended.status).toBe(400);
  expect(errorBodySchema.parse(await ended.json())).toMatchObject({ type: "client_error" });
});

test("the media engine gets the speech, or the reason why there is none, and never a rejection", async () => {
  const run = await runService();
  const session = await run.newSession();
  const { signal } = new AbortController();
  expect(await run.hooks.synthesize(session, { text: "hello", rate: 1 }, signal)).toMatchObject({ ok: true });
  expect(await run.hooks.synthesize(session, { text: "안녕", rate: 1 }, signal)).toMatchObject({
    ok: false,
    code: "unspeakable_text",
  });
  await run.store.close();
  expect(await run.hooks.synthesize(session, { text: "hello", rate: 1 }, signal)).toMatchObject({
    ok: false,
    code: "engine_failed",
  });
});

test("an exchange that the engine cannot answer is reported as an error of the offer or of the server", async () => {
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

function addVoice(run: RunningService, name: string, fields: Partial<TtsType> = {}): Promise<boolean> {
  return run.store.catalogue.put({
    kind: "tts_type",
    id: name,
    name,
    organizationId: null,
    createdAtMs: 0,
    body: {
      name,
      service: "visavis",
      streamable: true,
      model: null,
      voice: name,
      voice_settings: null,
      style: null,
      voice_extra_data: null,
      ...fields,
    },
  });
}

/** A service whose voices say which of them has spoken, with a Korean and a French one in the catalogue. */
async function runWithVoices({ available = true } = {}) {
  const spokenBy: string[] = [];
  const run = await runService({
    synthesizer: ({ name }) =>
      !available && !name.startsWith("visavis-")
        ? null
        : {
            voices: [],
            synthesize({ voice, text }) {
              spokenBy.push(voice);
              return Promise.resolve({
                sampleRateHz: 16_000,
                pcm: new Int16Array(160),
                words: [{ text, start: 0, end: 10 }],
                visemes: [],
              });
            },
            close: () => Promise.resolve(),
          },
  });
  await addVoice(run, "ko", { model: "espeak-ng" });
  await addVoice(run, "marie", { voice_extra_data: { language: ["fr-FR", "fr-CA"] } });
  return { run, spokenBy };
}

test.each([
  ["The Alder chair costs 480 euros.", "en", "slt"],
  ["네, 올더 의자는 480유로입니다.", "en", "ko"],
  ["Oui, le fauteuil coûte 480 euros.", "fr-CH", "marie"],
  ["Hello, I am Mara. What are you looking for today?", "fr", "slt"],
  ["Oui.", "fr", "slt"],
])("%s, in a conversation in %s, is spoken by the voice %s", async (text, locale, voice) => {
  const { run, spokenBy } = await runWithVoices();
  const speak = await speechSession(run, { capability: ["TTS"], extra_data: { locale } });
  expect((await speak({ text })).status).toBe(200);
  expect(spokenBy).toEqual([voice]);
});

test("a text in a language that no available voice speaks is refused, with what to do", async () => {
  const { run, spokenBy } = await runWithVoices({ available: false });
  const speak = await speechSession(run, { capability: ["TTS"] });
  const answer = await speak({ text: "네, 올더 의자는 480유로입니다." });
  expect(answer.status).toBe(400);
  const [fault] = errorBodySchema.parse(await answer.json()).errors;
  expect(fault?.detail).toContain("visavis-slt speaks en, the text is in the language ko");
  expect(fault?.detail).toContain("voice_extra_data");
  expect(spokenBy).toEqual([]);
});

test("a voice whose row names no language speaks everything", async () => {
  const { run, spokenBy } = await runWithVoices();
  await addVoice(run, "all");
  const speak = await speechSession(run, { capability: ["TTS"], tts_type: "all" });
  await speak({ text: "네, 올더 의자는 480유로입니다." });
  expect(spokenBy).toEqual(["all"]);
});
