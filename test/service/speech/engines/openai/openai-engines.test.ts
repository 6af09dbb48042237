import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tryRecognizer, tryVoice } from "../../../../../src/service/administration/trials/engine-trials.ts";
import { encodeWav } from "../../../../../src/service/audio/wav-file.ts";
import { recognizerOf, synthesizersIn, unused, voiceOf, voiceRow } from "../engine-entries.ts";
import { openAiServer } from "./openai-server.ts";

const mp3 = readFileSync(join(import.meta.dirname, "../../../audio/fixtures/tone-440-stereo.mp3"));
/** 0.8 s of a tone between silences. */
const tone = Int16Array.from({ length: 24_000 }, (_, index) =>
  index < 2_400 || index > 21_600 ? 0 : 9_000 * Math.sin(index / 10),
);
const wav = encodeWav(tone, 24_000);
const recording = { pcm: tone.subarray(2_400, 7_200), sampleRateHz: 16_000 };
const greeting = { text: "Hello there, Mara.", voice: "alloy" };

const recognizerAt = (base_url: string) => recognizerOf({ base_url, api_key: "k1" })!;
const voiceAt = (base_url: string, settings: object = {}) =>
  voiceOf({ base_url, api_key: "k1", ...settings })!;

describe("speech", () => {
  test.each([
    ["wav", () => wav, 24_000],
    ["pcm", () => Buffer.from(tone.buffer), 24_000],
    ["mp3", () => mp3, 16_000],
  ])("in %s comes back with words and gapless shapes", async (response_format, speech, rateHz) => {
    const { baseUrl, requests } = await openAiServer({ speech });
    const engine = voiceOf(
      { base_url: `${baseUrl}/`, api_key_env: "GROQ_API_KEY", model: "tts-9", response_format },
      { environment: { GROQ_API_KEY: "from-env" } },
      { voice_settings: { speed: 1.2, unknown: "x" } },
    )!;
    const spoken = await engine.synthesize(greeting);
    const fields = { speed: 1.2, model: "tts-9", voice: "alloy", input: greeting.text, response_format };
    expect(requests).toEqual([
      { path: "/v1/audio/speech", authorization: "Bearer from-env", file: null, fileName: null, fields },
    ]);
    await engine.synthesize({ ...greeting, rate: 1.5, pitch: 1.2 });
    expect(requests[1]?.fields).toMatchObject({ speed: 1.5 });
    const high = await engine.synthesize({ ...greeting, pitch: 1.5 });
    expect(high.sampleRateHz).toBe(rateHz * 1.5);
    expect(spoken.sampleRateHz).toBe(rateHz);
    expect(spoken.words.map(({ text }) => text)).toEqual(["Hello", "there,", "Mara."]);
    expect(spoken.visemes[0]!.start).toBe(0);
    for (const { visemes, pcm, sampleRateHz } of [spoken, high])
      expect(visemes.at(-1)!.end).toBeCloseTo((pcm.length * 1_000) / sampleRateHz, 3);
    expect(await engine.synthesize(greeting)).toBe(spoken);
    expect(requests).toHaveLength(3);
  });

  test.each([
    ["refuses MP3 gives the configured format", true, ["mp3", "wav"]],
    ["ignores the format gives no MP3", false, ["mp3"]],
  ])("of a server that %s", async (_what, refusesMp3, formats) => {
    const { baseUrl, requests } = await openAiServer({
      speech: ({ fields }) => (refusesMp3 && fields["response_format"] === "mp3" ? null : wav),
    });
    const speech = await voiceAt(baseUrl).synthesize({ ...greeting, mp3: true });
    expect([speech.mp3, speech.sampleRateHz]).toEqual([undefined, 24_000]);
    expect(requests.map(({ fields }) => fields["response_format"])).toEqual(formats);
  });

  test("in a configured MP3 format returns the file only if the caller wants it", async () => {
    const { baseUrl } = await openAiServer({ speech: () => mp3 });
    const engine = voiceAt(baseUrl, { response_format: "mp3" });
    expect((await engine.synthesize(greeting)).mp3).toBeUndefined();
    const wanted = await engine.synthesize({ ...greeting, mp3: true });
    expect(Buffer.from(wanted.mp3!).equals(mp3)).toBe(true);
  });

  test.each([
    ["an error status", { status: 500 }],
    ["no audio", { speech: () => Buffer.from("<html>") }],
    ["nothing", { speech: () => new Uint8Array() }],
  ])("with %s for an answer is a failed engine", async (_case, answers) => {
    const { baseUrl } = await openAiServer(answers);
    const failure = await voiceAt(baseUrl)
      .synthesize(greeting)
      .catch((error: unknown) => error as Error);
    expect(failure).toMatchObject({ name: "SpeechError", code: "engine_failed" });
    expect((failure as Error).message).not.toMatch(/127|secret/);
  });

  test.each([
    ["…", "unspeakable_text"],
    ["a".repeat(5_001), "text_too_long"],
  ])("of %.3s is not requested", async (text, code) => {
    const { baseUrl, requests } = await openAiServer({ speech: () => mp3 });
    await expect(voiceAt(baseUrl).synthesize({ text, voice: "a" })).rejects.toMatchObject({ code });
    expect(requests).toEqual([]);
  });

  test("that is aborted rejects with the signal's reason", async () => {
    const { baseUrl } = await openAiServer({ speech: () => mp3 });
    const abort = new AbortController();
    const speech = voiceAt(baseUrl).synthesize({ ...greeting, signal: abort.signal });
    const reason = new Error("enough");
    abort.abort(reason);
    await expect(speech).rejects.toBe(reason);
  });
});

describe("the engine of an entry", () => {
  const onlyMine = { VISAVIS_ENGINE_VARIABLES: "MINE" };

  test("is Flite or eSpeak NG by its model; eSpeak NG only if it is installed", () => {
    const of = (model: string) =>
      voiceOf(null, { environment: { VISAVIS_ESPEAK_PATH: "/nowhere" } }, { service: "visavis", model });
    expect([of("flite"), of("espeak-ng")]).toEqual([unused, null]);
    expect(() => of("other")).toThrow('"other"');
  });

  test.each([
    [null, "onpremise", {}, false],
    [{}, "onpremise", {}, false],
    [{ base_url: "not an address" }, "onpremise", {}, false],
    [{ base_url: "https://voice.example/v1" }, "onpremise", {}, true],
    [{ base_url: "https://voice.example/v1" }, "elevenlabs", {}, true],
    [{ base_url: "https://voice.example/v1", response_format: "ogg" }, "onpremise", {}, false],
    [null, "openai", {}, false],
    [null, "openai", { OPENAI_API_KEY: "k" }, true],
    [{ api_key: "k" }, "openai", {}, true],
    [{ api_key_env: "MINE" }, "openai", { MINE: "k", ...onlyMine }, true],
    [{ api_key_env: "MINE" }, "openai", onlyMine, false],
    [{ api_key_env: "MINE" }, "openai", { MINE: "k" }, false],
    [{ api_key_env: "GROQ_API_KEY" }, "openai", { GROQ_API_KEY: "k", ...onlyMine }, false],
    [null, "openai", { OPENAI_API_KEY: "k", VISAVIS_ENGINE_VARIABLES: "" }, false],
    [{ api_key_env: "VISAVIS_API_KEY" }, "openai", { VISAVIS_API_KEY: "k" }, false],
  ] as const)("with %j for %s and %j: %s", (engine, service, environment, available) => {
    expect(voiceOf(engine, { environment }, { service }) !== null).toBe(available);
    const isTtsOnly = engine !== null && "response_format" in engine;
    const sttService = service === "elevenlabs" ? "whisper" : service;
    const recognizer = recognizerOf(engine, { environment, service: sttService });
    expect(recognizer !== null).toBe(available && !isTtsOnly);
  });

  test("is kept until the entry changes", () => {
    const engines = synthesizersIn();
    const of = (name: string) => engines.of(voiceRow({ base_url: `https://${name}.example/v1` }));
    const first = of("voice");
    expect(of("voice")).toBe(first);
    expect(of("other")).not.toBe(first);
  });
});

/** What a recognizer understands where its server answers so. */
async function heard(answer: unknown) {
  const { baseUrl } = await openAiServer(
    typeof answer === "string" ? { status: 200, body: answer } : { transcription: () => answer },
  );
  return recognizerAt(baseUrl).recognize(recording);
}

describe("a recognition", () => {
  test.each([503, 502, 504, null])(
    "is asked for once more where the server answers %j at first: nobody speaks again",
    async (firstStatus) => {
      const transcription = () => ({ text: "Hello." });
      const { baseUrl, requests } = await openAiServer({ firstStatus, transcription });
      expect(await recognizerAt(baseUrl).recognize(recording)).toEqual({ text: "Hello.", locale: null });
      expect(requests).toHaveLength(2);
      expect(requests[1]).toEqual(requests[0]);
    },
  );

  test.each([
    [503, 2],
    [429, 1],
    [400, 1],
  ])("that fails with %d is asked for %d times", async (status, times) => {
    const { baseUrl, requests } = await openAiServer({ status });
    await expect(recognizerAt(baseUrl).recognize(recording)).rejects.toThrow();
    expect(requests).toHaveLength(times);
  });

  test("that is too large to be one is not parsed", async () => {
    const segments = Array.from({ length: 100_000 }, () => ({ text: "", id: "a longer name" }));
    await expect(heard({ text: "Hello.", segments })).rejects.toMatchObject({ code: "too_large" });
  });

  test("that nobody waits for any more is not asked for again", async () => {
    const nobody = new AbortController();
    const { baseUrl, requests } = await openAiServer({ status: 503 });
    const recognized = recognizerAt(baseUrl).recognize({ ...recording, signal: nobody.signal });
    await expect.poll(() => requests.length).toBe(1);
    nobody.abort(new Error("gone"));
    await expect(recognized).rejects.toThrow();
    expect(requests).toHaveLength(1);
  });

  test.each([
    [{ text: "Hello.", language: null }, "Hello.", null],
    [{ text: "Hello.", language: 7 }, "Hello.", null],
    [{ text: null }, "", null],
    [{ segments: [{ text: " Hello" }, { text: " there." }], language: "en" }, "Hello there.", "en"],
  ])("of %j has words", async (answer, text, locale) => {
    expect(await heard(answer)).toEqual({ text, locale });
  });

  test.each([
    ["", ["[BLANK_AUDIO]", " [ Silence ] ", "(silence)", "[Music] ♪♪", "*coughs*", "<|nospeech|>", "..."]],
    ["", ["[MUSIC PLAYING] (laughs)", "【音乐】", "（笑い）"]],
    ["How much is it?", ["[BLANK_AUDIO] How much is it?"]],
    ["The chair (the oak one), please.", ["The chair (the oak one), please."]],
    ["2 * 3 * 4", ["2 * 3 * 4"]],
  ])("has the words “%s” of %j", async (words, texts) => {
    for (const text of texts) expect((await heard({ text })).text, text).toBe(words);
  });
});

describe("the owner reads what the server says", () => {
  const error = '{"error":{"message":"Model whisper-9 does not exist for key sk-abcdef123456"}}';
  const says = " Its server says: Model whisper-9 does not exist for key ….";

  test.each([
    [404, error, "with status 404", "with status 404", says],
    [400, error, "with status 400", "with status 400", says],
    [200, error, "without a text", "without sound", says],
    // No validation as JSON, where the answer has another shape.
    [200, '{"result":"hello"}', "without a text", "without sound", ""],
  ])("with status %d and %s", async (status, body, ofRecognizer, ofVoice, said) => {
    const { baseUrl } = await openAiServer({ status, body });
    const heardBy = await tryRecognizer(recognizerAt(baseUrl), () => Promise.resolve(recording));
    expect(heardBy.detail).toBe(`The engine answered ${ofRecognizer}.${said}`);
    const spokenBy = await tryVoice(voiceAt(baseUrl), "alloy");
    expect(spokenBy.detail).toBe(`The engine answered ${ofVoice}.${said}`);
  });

  test("and what visitors get says nothing of it", async () => {
    const { baseUrl } = await openAiServer({ status: 400, body: error });
    const spoken = voiceAt(baseUrl).synthesize(greeting);
    await expect(spoken).rejects.toThrow("The speech engine could not be used.");
  });
});

test("an address of Azure keeps its query, and its key goes into the header api-key", async () => {
  const transcription = () => ({ text: "Hello." });
  const { baseUrl, requests } = await openAiServer({ speech: () => wav, transcription });
  const address = `${baseUrl}/?api-version=2025-03-01`;
  await recognizerAt(address).recognize(recording);
  await voiceAt(address).synthesize(greeting);
  await voiceOf({ base_url: baseUrl, api_key: "k1" }, {}, { service: "azure" })!.synthesize(greeting);
  expect(requests.map(({ path, authorization, apiKey }) => [path, authorization, apiKey])).toEqual([
    ["/v1/audio/transcriptions?api-version=2025-03-01", undefined, "k1"],
    ["/v1/audio/speech?api-version=2025-03-01", undefined, "k1"],
    ["/v1/audio/speech", undefined, "k1"],
  ]);
});
