import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { SttType, TtsType } from "../../../../../src/protocol/catalogue.ts";
import { createOutboundCalls } from "../../../../../src/service/outbound/outbound-calls.ts";
import {
  createRecognizers,
  createSynthesizers,
} from "../../../../../src/service/speech/create-speech-engines.ts";
import type { SpeechSynthesizer } from "../../../../../src/service/speech/speech-synthesizer.ts";
import type { EngineSettings } from "../../../../../src/service/store/store.ts";
import { encodeWav } from "../../../../../src/service/audio/wav-file.ts";
import { noScript, plainAudioProcessor } from "../../../service-fixture.ts";
import { openAiServer } from "./openai-server.ts";

const mp3 = readFileSync(join(import.meta.dirname, "../../../audio/fixtures/tone-440-stereo.mp3"));
/** 0.8 s of a tone between silences. */
const tone = Int16Array.from({ length: 24_000 }, (_, index) =>
  index < 2_400 || index > 21_600 ? 0 : 9_000 * Math.sin(index / 10),
);

const unused: SpeechSynthesizer = {
  voices: [],
  synthesize: () => Promise.reject(new Error("Not to be asked.")),
  close: () => Promise.resolve(),
};

function synthesizers(environment: Record<string, string> = {}) {
  return createSynthesizers({
    flite: unused,
    audio: plainAudioProcessor,
    outbound: createOutboundCalls({ allowPrivate: false }),
    environment,
    scriptUrl: noScript,
  });
}

function ttsRow(engine: EngineSettings | null, body: Partial<TtsType> = {}) {
  const whole: TtsType = {
    name: "cloud",
    service: "onpremise",
    streamable: false,
    model: null,
    voice: "alloy",
    voice_settings: null,
    style: null,
    voice_extra_data: null,
    ...body,
  };
  return { id: "cloud", name: "cloud", body: whole, engine, isOperators: true };
}

describe("speech", () => {
  test.each([
    ["wav", () => encodeWav(tone, 24_000), 24_000],
    ["pcm", () => Buffer.from(tone.buffer), 24_000],
    ["mp3", () => mp3, 16_000],
  ])("in %s comes back with words and gapless shapes", async (format, bytes, rateHz) => {
    const { baseUrl, requests } = await openAiServer({ speech: bytes });
    const row = ttsRow(
      { base_url: `${baseUrl}/`, api_key_env: "GROQ_API_KEY", model: "tts-9", response_format: format },
      { voice_settings: { speed: 1.2, unknown: "x" } },
    );
    const engine = synthesizers({ GROQ_API_KEY: "from-env" }).of(row)!;
    const speech = await engine.synthesize({ text: "Hello there, Mara.", voice: "alloy" });
    expect(requests).toEqual([
      {
        path: "/v1/audio/speech",
        authorization: "Bearer from-env",
        file: null,
        fileName: null,
        fields: {
          speed: 1.2,
          model: "tts-9",
          voice: "alloy",
          input: "Hello there, Mara.",
          response_format: format,
        },
      },
    ]);
    await engine.synthesize({ text: "Hello there, Mara.", voice: "alloy", rate: 1.5, pitch: 1.2 });
    expect(requests[1]?.fields).toMatchObject({ speed: 1.5 });
    const high = await engine.synthesize({ text: "Hello there, Mara.", voice: "alloy", pitch: 1.5 });
    expect(high.sampleRateHz).toBe(rateHz * 1.5);
    expect(high.visemes.at(-1)!.end).toBeCloseTo((high.pcm.length * 1_000) / high.sampleRateHz, 3);
    expect(speech.sampleRateHz).toBe(rateHz);
    expect(speech.words.map(({ text }) => text)).toEqual(["Hello", "there,", "Mara."]);
    expect(speech.visemes[0]!.start).toBe(0);
    expect(speech.visemes.at(-1)!.end).toBeCloseTo((speech.pcm.length * 1_000) / rateHz, 3);
    expect(await engine.synthesize({ text: "Hello there, Mara.", voice: "alloy" })).toBe(speech);
    expect(requests).toHaveLength(3);
  });

  test("is requested as MP3 when the caller wants MP3, and in the configured format when the server refuses MP3", async () => {
    const { baseUrl, requests } = await openAiServer({
      speech: ({ fields }) => (fields["response_format"] === "mp3" ? null : encodeWav(tone, 24_000)),
    });
    const engine = synthesizers().of(ttsRow({ base_url: baseUrl }))!;
    const speech = await engine.synthesize({ text: "Hello.", voice: "alloy", mp3: true });
    expect(speech.mp3).toBeUndefined();
    expect(speech.sampleRateHz).toBe(24_000);
    expect(requests.map(({ fields }) => fields["response_format"])).toEqual(["mp3", "wav"]);
  });

  test("in a configured MP3 format returns the file only if the caller wants it", async () => {
    const { baseUrl } = await openAiServer({ speech: () => mp3 });
    const engine = synthesizers().of(ttsRow({ base_url: baseUrl, response_format: "mp3" }))!;
    expect((await engine.synthesize({ text: "Hello.", voice: "alloy" })).mp3).toBeUndefined();
    const wanted = await engine.synthesize({ text: "Hello.", voice: "alloy", mp3: true });
    expect(Buffer.from(wanted.mp3!).equals(mp3)).toBe(true);
  });

  test("of a server that ignores the format is not returned as MP3", async () => {
    const { baseUrl } = await openAiServer({ speech: () => encodeWav(tone, 24_000) });
    const engine = synthesizers().of(ttsRow({ base_url: baseUrl }))!;
    const speech = await engine.synthesize({ text: "Hello.", voice: "alloy", mp3: true });
    expect(speech.mp3).toBeUndefined();
    expect(speech.sampleRateHz).toBe(24_000);
  });

  test.each([
    ["an error status", { status: 500 }],
    ["no audio", { speech: () => Buffer.from("<html>") }],
    ["nothing", { speech: () => new Uint8Array() }],
  ])("with %s for an answer is a failed engine", async (_case, answers) => {
    const { baseUrl } = await openAiServer(answers);
    const engine = synthesizers().of(ttsRow({ base_url: baseUrl }))!;
    const failure = await engine
      .synthesize({ text: "Hi", voice: "a" })
      .catch((error: unknown) => error as Error);
    expect(failure).toMatchObject({ name: "SpeechError", code: "engine_failed" });
    expect((failure as Error).message).not.toMatch(/127|secret/);
  });

  test("is not requested for a text without words or a text that is too long", async () => {
    const { baseUrl, requests } = await openAiServer({ speech: () => mp3 });
    const engine = synthesizers().of(ttsRow({ base_url: baseUrl }))!;
    await expect(engine.synthesize({ text: "…", voice: "a" })).rejects.toMatchObject({
      code: "unspeakable_text",
    });
    await expect(engine.synthesize({ text: "a".repeat(5_001), voice: "a" })).rejects.toMatchObject({
      code: "text_too_long",
    });
    expect(requests).toEqual([]);
  });

  test("that is aborted rejects with the signal's reason", async () => {
    const { baseUrl } = await openAiServer({ speech: () => mp3 });
    const engine = synthesizers().of(ttsRow({ base_url: baseUrl }))!;
    const reason = new Error("enough");
    const abort = new AbortController();
    const speech = engine.synthesize({ text: "Hi", voice: "a", signal: abort.signal });
    abort.abort(reason);
    await expect(speech).rejects.toBe(reason);
  });
});

describe("the engine of an entry", () => {
  test("is Flite or eSpeak NG by its model; eSpeak NG only if it is installed", () => {
    const engines = synthesizers({ VISAVIS_ESPEAK_PATH: "/nowhere" });
    expect(engines.of(ttsRow(null, { service: "visavis", model: "flite" }))).toBe(unused);
    expect(engines.of(ttsRow(null, { service: "visavis", model: "espeak-ng" }))).toBeNull();
    expect(() => engines.of(ttsRow(null, { service: "visavis", model: "other" }))).toThrow('"other"');
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
    [{ api_key_env: "MINE" }, "openai", { MINE: "k", VISAVIS_ENGINE_VARIABLES: "MINE" }, true],
    [{ api_key_env: "MINE" }, "openai", { VISAVIS_ENGINE_VARIABLES: "MINE" }, false],
    [{ api_key_env: "MINE" }, "openai", { MINE: "k" }, false],
    [
      { api_key_env: "GROQ_API_KEY" },
      "openai",
      { GROQ_API_KEY: "k", VISAVIS_ENGINE_VARIABLES: "MINE" },
      false,
    ],
    [null, "openai", { OPENAI_API_KEY: "k", VISAVIS_ENGINE_VARIABLES: "" }, false],
    [{ api_key_env: "VISAVIS_API_KEY" }, "openai", { VISAVIS_API_KEY: "k" }, false],
  ] as const)("with %j for %s and %j: %s", (engine, service, env, available) => {
    expect(synthesizers(env).of(ttsRow(engine, { service })) !== null).toBe(available);
    const recognizers = createRecognizers({
      outbound: createOutboundCalls({ allowPrivate: false }),
      environment: env,
      scriptUrl: noScript,
    });
    const sttService: SttType["service"] = service === "elevenlabs" ? "whisper" : service;
    const body = { name: "e", service: sttService, options: null };
    const row = { id: "e", name: "e", body, engine, isOperators: true };
    const isTtsOnly = engine !== null && "response_format" in engine;
    expect(recognizers.of(row) !== null).toBe(available && !isTtsOnly);
  });

  test("is kept until the entry changes", () => {
    const engines = synthesizers();
    const first = engines.of(ttsRow({ base_url: "https://voice.example/v1" }));
    expect(engines.of(ttsRow({ base_url: "https://voice.example/v1" }))).toBe(first);
    expect(engines.of(ttsRow({ base_url: "https://other.example/v1" }))).not.toBe(first);
  });
});
