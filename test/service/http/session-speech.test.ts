import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import type { TtsType } from "../../../src/protocol/catalogue.ts";
import type { TtsResponse } from "../../../src/protocol/speech/speech.ts";
import { createOutboundCalls } from "../../../src/service/outbound/outbound-calls.ts";
import { decodeAudio } from "../../../src/service/audio/decode-audio.ts";
import { createOpenAiSynthesizer } from "../../../src/service/speech/engines/openai/openai-engine.ts";
import type { SpeechRequest } from "../../../src/service/speech/speech-synthesizer.ts";
import { encodeWav } from "../../../src/service/audio/wav-file.ts";
import { errorsOf, jsonOf, refusalOf, statusOf } from "../answers.ts";
import { configRow, rule } from "../normalization/config-row.ts";
import {
  apiKey,
  plainAudioProcessor,
  quietSynthesizer,
  type RunningService,
  runService,
} from "../service-fixture.ts";
import { openAiServer, type SeenRequest } from "../speech/engines/openai/openai-server.ts";
import { testWith } from "./shared-service.ts";

const test = testWith(runService);

const onlySpeech = { capability: ["TTS"] };
const { signal } = new AbortController();

const say = (run: RunningService, session: string, body: object) =>
  run.send("POST", `/api/v1/session/${session}/tts/`, body);
const spoken = async (run: RunningService, fields: object, body: object): Promise<TtsResponse> =>
  jsonOf(say(run, await run.newSession({ ...fields }), body));
const isWav = (audio: string) => Buffer.from(audio, "base64").toString("latin1", 0, 4) === "RIFF";

test("speech is returned as WAV with its words and visemes", async ({ run }) => {
  const { audio, words, visemes } = await spoken(run, onlySpeech, { text: "hello" });
  const wav = Buffer.from(audio, "base64");
  expect(wav.toString("latin1", 0, 4) + wav.toString("latin1", 8, 12)).toBe("RIFFWAVE");
  expect([4, 24, 40].map((at) => wav.readUInt32LE(at))).toEqual([wav.length - 8, 16_000, 16 * 50 * 2]);
  expect(words).toEqual([{ text: "hello", start: 0, end: 50 }]);
  expect(visemes).toHaveLength(1);
});

test("a session for speech alone answers nothing and recognizes nothing", async ({ run }) => {
  const { session_id: id } = await jsonOf<{ session_id: string }>(
    run.send("POST", "/api/v1/session/", { ...onlySpeech, tts_type: "visavis-slt" }),
  );
  const question = { messages: [{ role: "user", content: "Hi" }] };
  expect(await statusOf(run.send("POST", `/api/v1/session/${id}/llm/v2/`, question))).toBe(400);
  const body = new FormData();
  body.append("audio", new Blob(["x"]), "a.wav");
  expect(await statusOf(run.request(`/api/v1/session/${id}/stt/`, { method: "POST", body }))).toBe(400);
});

/** A service whose voice notes how it was asked to speak. */
async function runNoting() {
  const asked: Pick<SpeechRequest, "rate" | "pitch">[] = [];
  const synthesize: typeof quietSynthesizer.synthesize = (request) => {
    asked.push({ rate: request.rate, pitch: request.pitch });
    return quietSynthesizer.synthesize(request);
  };
  const run = await runService({ synthesizer: () => ({ ...quietSynthesizer, synthesize }) });
  return { run, asked };
}

test("speech has what a caller draws from, and the caller's rate", async () => {
  const { run, asked } = await runNoting();
  const fields = { capability: ["STF_ONPREMISE", "TTS"], model_style: "mina" };
  const { accents, loudness } = await spoken(run, fields, { text: "hello", rate: 1.5 });
  expect(accents).toMatchObject([{ start: 0, end: 50 }]);
  expect(loudness).toEqual([]);
  expect(asked).toMatchObject([{ rate: 1.5 }]);
  expect(await statusOf(say(run, await run.newSession(), { text: "hello", rate: 3 }))).toBe(400);
});

const ofDemo = { extra_data: { context_id: "ctx_demo" } };

test("the owner of a context sets how fast and how high its voice speaks", async () => {
  const { run, asked } = await runNoting();
  expect(await statusOf(run.configure({ voice: { rate: 1.15, pitch: 0.9 } }))).toBe(200);
  for (const fields of [ofDemo, {}]) await spoken(run, { ...onlySpeech, ...fields }, { text: "Hello." });
  // It is kept as any JSON is, and has no effect.
  const warnings = [{ attr: "embed_config.voice.rate" }];
  expect(await jsonOf(run.configure({ voice: { rate: 9 } }))).toMatchObject({ warnings });
  await spoken(run, { ...onlySpeech, ...ofDemo }, { text: "Hello again." });
  const usual = { rate: undefined, pitch: undefined };
  expect(asked).toEqual([{ rate: 1.15, pitch: 0.9 }, usual, usual]);
});

test("a visitor's rate multiplies the owner's, as far as voices can speak it", async () => {
  const { run, asked } = await runNoting();
  await run.configure({ voice: { rate: 1.1 } });
  const [visitor, without] = [await run.newSession(ofDemo), await run.newSession()];
  for (const [session, rate] of [
    [visitor, 1.25],
    [visitor, 2],
    [visitor, 1],
    [without, 0.75],
  ] as const)
    expect(await run.hooks.synthesize(session, { text: "Hello.", rate }, signal)).toMatchObject({ ok: true });
  expect(asked.map(({ rate }) => rate)).toEqual([1.375, 2, 1.1, 0.75]);
});

test("speech is MP3 if it is requested and the engine supports it, with the words and visemes of that very file", async () => {
  const mp3 = readFileSync(join(import.meta.dirname, "../audio/fixtures/tone-440-stereo.mp3"));
  const speech = ({ fields }: SeenRequest): Uint8Array =>
    fields["response_format"] === "mp3" ? mp3 : encodeWav(new Int16Array(2_400).fill(900), 24_000);
  const { baseUrl, requests } = await openAiServer({ speech });
  const engine = createOpenAiSynthesizer({
    ...{ audio: plainAudioProcessor, baseUrl, apiKey: undefined, isAzure: false, model: null },
    fetch: createOutboundCalls({ allowPrivate: false }).engine({ isOperators: true }),
    settings: { type: "openai", voice: "alloy", response_format: "wav", timeout_sec: 5 },
    voiceSettings: null,
  });
  const run = await runService({ synthesizer: () => engine });
  const wanted = { text: "Hello there.", output_format: "mp3" };
  const { audio, format, words, visemes } = await spoken(run, onlySpeech, wanted);
  expect(format).toBe("mp3");
  expect(Buffer.from(audio, "base64").equals(mp3)).toBe(true);
  const { pcm, sampleRateHz } = decodeAudio(mp3);
  expect(words.map(({ text }) => text)).toEqual(["Hello", "there."]);
  expect(visemes.at(-1)!.end).toBeCloseTo((pcm.length * 1_000) / sampleRateHz, 3);
  const plain = await spoken(run, onlySpeech, { text: "Hello there." });
  expect([plain.format, isWav(plain.audio)]).toEqual(["wav", true]);
  expect(requests.map(({ fields }) => fields["response_format"])).toEqual(["mp3", "wav"]);
});

test("an engine without MP3 returns WAV, and the answer says so", async ({ run }) => {
  const { audio, format } = await spoken(run, onlySpeech, { text: "hello", output_format: "mp3" });
  expect([format, isWav(audio)]).toEqual(["wav", true]);
});

test.for<[body: object, attr: string]>([
  [{ text: "hello", output_format: "ogg" }, "output_format"],
  [{ text: "" }, "text"],
  [{ text: "안녕" }, "text"],
  [{ text: "a".repeat(5_001) }, "text"],
])("%j cannot be spoken, and the answer names the field", async ([body, attr], { run }) => {
  const response = await say(run, await run.newSession(), body);
  expect(response.status).toBe(400);
  expect(await errorsOf(response)).toMatchObject([{ attr }]);
});

test("speech is refused for a session without a voice", async ({ run }) => {
  const session = await run.newSession({ capability: ["LLM"], tts_type: undefined });
  expect(await statusOf(say(run, session, { text: "hello" }))).toBe(400);
});

test("the media engine gets the speech, or the reason why there is none, and never a rejection", async ({
  own: run,
}) => {
  const session = await run.newSession();
  const synthesized = (text: string) => run.hooks.synthesize(session, { text, rate: 1 }, signal);
  expect(await synthesized("hello")).toMatchObject({ ok: true });
  expect(await synthesized("안녕")).toMatchObject({ ok: false, code: "unspeakable_text" });
  await run.store.close();
  expect(await synthesized("hello")).toMatchObject({ ok: false, code: "engine_failed" });
});

test("an exchange that the engine cannot answer is reported as an error of the offer or of the server", async ({
  own: run,
}) => {
  const session = await run.newSession();
  const offer = { client_sdp: { type: "offer", sdp: "v=0" } };
  const exchange = () => run.send("POST", `/api/v1/session/${session}/exchange/`, offer);
  run.media.failure = Object.assign(new Error("no"), { code: "invalid_offer" });
  expect(await errorsOf(exchange())).toMatchObject([{ attr: "client_sdp.sdp" }]);
  run.media.failure = new Error("secret path");
  const failed = await exchange();
  expect(failed.status).toBe(500);
  expect(await failed.text()).not.toContain("secret path");
  expect((await run.status(session)).status).toBe("CREATED");
});

describe("the language of a text", () => {
  const addVoice = (run: RunningService, name: string, fields: Partial<TtsType> = {}) =>
    run.put("tts_type", name, {
      ...{ name, service: "visavis", streamable: true, model: null, voice: name, voice_settings: null },
      ...{ style: null, voice_extra_data: null, ...fields },
    });

  /** A service whose voices say which of them has spoken, with a Korean and a French one in the catalogue. */
  async function runWithVoices({ available = true } = {}) {
    const spokenBy: string[] = [];
    const synthesize: typeof quietSynthesizer.synthesize = ({ voice }) => {
      spokenBy.push(voice);
      return quietSynthesizer.synthesize({ text: "a", voice });
    };
    const engine = { ...quietSynthesizer, voices: [], synthesize };
    const run = await runService({
      synthesizer: ({ name }) => (available || name.startsWith("visavis-") ? engine : null),
    });
    await addVoice(run, "ko", { model: "espeak-ng" });
    await addVoice(run, "marie", { voice_extra_data: { language: ["fr-FR", "fr-CA"] } });
    await addVoice(run, "all");
    return { run, spokenBy };
  }

  const korean = "네, 올더 의자는 480유로입니다.";

  test.for<[text: string, locale: string, voice: string, fields?: object]>([
    ["The Alder chair costs 480 euros.", "en", "slt"],
    [korean, "en", "ko"],
    ["Oui, le fauteuil coûte 480 euros.", "fr-CH", "marie"],
    ["Hello, I am Mara. What are you looking for today?", "fr", "slt"],
    ["Oui.", "fr", "slt"],
    // A voice whose row names no language speaks everything.
    [korean, "en", "all", { tts_type: "all" }],
  ])("%s, in a conversation in %s, is spoken by the voice %s", async ([text, locale, voice, fields]) => {
    const { run, spokenBy } = await runWithVoices();
    await spoken(run, { ...onlySpeech, extra_data: { locale }, ...fields }, { text });
    expect(spokenBy).toEqual([voice]);
  });

  test("that no available voice speaks makes it refused, with what to do", async () => {
    const { run, spokenBy } = await runWithVoices({ available: false });
    const response = await say(run, await run.newSession(onlySpeech), { text: korean });
    expect(response.status).toBe(400);
    expect((await errorsOf(response))[0]?.detail).toMatch(
      /visavis-slt speaks en, the text is in the language ko.*voice_extra_data/s,
    );
    expect(spokenBy).toEqual([]);
  });
});

describe("normalization", () => {
  const path = (config: string) => `/api/v1/settings/text_normalization_config/${config}/normalize/`;
  const normalize = (run: RunningService, config: string, body: object) =>
    run.send("POST", path(config), body);

  /** Stores a config of the organization, with the id and name `own`. */
  async function ownConfig(run: RunningService, rules: unknown, fields = {}): Promise<void> {
    const { body, engine } = configRow(rules, { textnormalizationconfig_id: "own", name: "own", ...fields });
    await run.put("text_normalization_config", "own", body, engine, { organizationId: run.organizationId });
  }

  test.for(["visavis-english", "English"])("finds the config %s by id or name", async (config, { run }) => {
    const answer = await jsonOf(normalize(run, config, { text: "Dr. Lee has 2 cats." }));
    expect(answer).toEqual({ normalized_text: "Doctor Lee has two cats." });
  });

  test.for([
    [undefined, "b"],
    ["ko", "c"],
    ["ko-KR", "c"],
    ["en", "b"],
  ] as const)("runs the rules of the locale %s and those without one", async ([locale, text], { run }) => {
    await ownConfig(run, [rule("a", "b"), rule("b", "c", { order: 2, locale: "ko" })]);
    expect(await jsonOf(normalize(run, "own", { text: "a", locale }))).toEqual({ normalized_text: text });
  });

  test("accepts a form as well", async ({ run }) => {
    const body = new URLSearchParams({ text: "5 & 6", locale: "en-US" });
    const answer = run.request(path("English"), { method: "POST", headers: { "XP-API-KEY": apiKey }, body });
    expect(await jsonOf(answer)).toEqual({ normalized_text: "five and six" });
  });

  test.for<[body: object, fault: string]>([
    [{}, "text required"],
    [{ text: "" }, "text blank"],
    [{ text: 5 }, "text invalid"],
    [{ text: "x".repeat(10_001) }, "text max_length"],
    [{ text: "x", locale: "x".repeat(36) }, "locale max_length"],
  ])("%j names the field that is wrong: %s", async ([body, fault], { run }) => {
    expect(await refusalOf(normalize(run, "English", body))).toEqual([400, fault]);
  });

  test("needs a key and a config that the caller may see", async ({ run }) => {
    const body = JSON.stringify({ text: "x" });
    const headers = { "Content-Type": "application/json" };
    expect(await statusOf(run.request(path("English"), { method: "POST", headers, body }))).toBe(401);
    expect(await statusOf(normalize(run, "nothing", { text: "x" }))).toBe(404);
    expect(await statusOf(run.get(path("English")))).toBe(405);
  });

  test("of a session's speech leaves the words of the message", async ({ run }) => {
    const text = "Dr. Lee has 2 cats.";
    const { words } = await spoken(run, { ...onlySpeech, text_normalization_config: "English" }, { text });
    expect(words.map((word) => word.text)).toEqual(text.split(" "));
    // The fixture's voice takes 10 ms per character.
    expect(words.at(-1)!.end).toBeCloseTo("Doctor Lee has two cats.".length * 10);
  });

  test("of a session's speech follows its locale", async ({ run }) => {
    await ownConfig(run, [rule("a", "aaaa", { locale: "en" })]);
    const config = { ...onlySpeech, text_normalization_config: "own" };
    for (const [locale, end] of [[undefined, 10] as const, ["en-GB", 40] as const]) {
      const { words } = await spoken(run, { ...config, text_normalization_locale: locale }, { text: "a" });
      expect(words.at(-1)?.end).toBe(end);
    }
  });

  test("continues without a hook that fails, which is logged, and an event of the session", async ({
    own: run,
  }) => {
    const hooks = { pre_hook_url: "https://169.254.169.254/", hook_enabled: true };
    await ownConfig(run, [rule("a", "b")], hooks);
    expect(await jsonOf(normalize(run, "own", { text: "a" }))).toEqual({ normalized_text: "b" });
    const session = await run.newSession({ ...onlySpeech, text_normalization_config: "own" });
    expect(await statusOf(say(run, session, { text: "hello" }))).toBe(200);
    const line = { level: "warn", code: "pre_hook_failed", config: "own" };
    const warned = run.lines.filter(({ level }) => level === "warn");
    expect(warned).toMatchObject([line, { level: "warn" }]);
    const detail = "tts text normalization: pre_hook_failed (forbidden_address)";
    const events = await jsonOf(run.get(`/api/v1/session/${session}/event/`));
    expect(events).toMatchObject([{ event: "SESSION_LOG", detail }]);
  });
});
