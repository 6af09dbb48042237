import { describe, expect, test } from "vitest";
import type { SttType, TtsType } from "../../../../../src/protocol/catalogue.ts";
import { tryRecognizer, tryVoice } from "../../../../../src/service/administration/trials/engine-trials.ts";
import { createOutboundCalls } from "../../../../../src/service/outbound/outbound-calls.ts";
import {
  createRecognizers,
  createSynthesizers,
} from "../../../../../src/service/speech/create-speech-engines.ts";
import { encodeWav } from "../../../../../src/service/audio/wav-file.ts";
import { noScript, plainAudioProcessor } from "../../../service-fixture.ts";
import { openAiServer } from "./openai-server.ts";

const sound = Int16Array.from({ length: 4_800 }, (_, at) => 9_000 * Math.sin(at / 10));
const outbound = () => createOutboundCalls({ allowPrivate: true });

function recognizerAt(baseUrl: string, service: SttType["service"] = "onpremise") {
  const row = {
    ...{ id: "r", name: "r", isOperators: true, body: { name: "r", service, options: null } },
    engine: { base_url: baseUrl, api_key: "k1" },
  };
  return createRecognizers({ outbound: outbound(), environment: {}, scriptUrl: noScript }).of(row)!;
}

function voiceAt(baseUrl: string, service: TtsType["service"] = "onpremise") {
  const body = {
    ...{ name: "v", service, streamable: false, model: null, voice: "alloy" },
    ...{ voice_settings: null, style: null, voice_extra_data: null },
  };
  const engine = { base_url: baseUrl, api_key: "k1" };
  return createSynthesizers({
    ...{ audio: plainAudioProcessor, outbound: outbound(), environment: {}, scriptUrl: noScript },
    flite: {
      voices: [],
      synthesize: () => Promise.reject(new Error("unused")),
      close: () => Promise.resolve(),
    },
  }).of({ id: "v", name: "v", body, engine, isOperators: true })!;
}

/** What a recognizer understands where its server answers so. */
async function heard(answer: unknown) {
  const { baseUrl } = await openAiServer(
    typeof answer === "string" ? { status: 200, body: answer } : { transcription: () => answer },
  );
  return recognizerAt(baseUrl).recognize({ pcm: sound, sampleRateHz: 16_000 });
}

const triedRecognizer = (baseUrl: string) =>
  tryRecognizer(recognizerAt(baseUrl), () => Promise.resolve({ pcm: sound, sampleRateHz: 16_000 }));

describe("a recognition", () => {
  test.each([503, 502, 504, null])(
    "is asked for once more where the server answers %j at first: nobody speaks again",
    async (firstStatus) => {
      const transcription = () => ({ text: "Hello." });
      const { baseUrl, requests } = await openAiServer({ firstStatus, transcription });
      const recognized = recognizerAt(baseUrl).recognize({ pcm: sound, sampleRateHz: 16_000 });
      expect(await recognized).toEqual({ text: "Hello.", locale: null });
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
    await expect(recognizerAt(baseUrl).recognize({ pcm: sound, sampleRateHz: 16_000 })).rejects.toThrow();
    expect(requests).toHaveLength(times);
  });

  test("that is too large to be one is not parsed", async () => {
    const segments = Array.from({ length: 100_000 }, () => ({ text: "", id: "a longer name" }));
    await expect(heard({ text: "Hello.", segments })).rejects.toMatchObject({ code: "too_large" });
  });

  test("that nobody waits for any more is not asked for again", async () => {
    const nobody = new AbortController();
    const { baseUrl, requests } = await openAiServer({ status: 503 });
    const request = { pcm: sound, sampleRateHz: 16_000, signal: nobody.signal };
    const recognized = recognizerAt(baseUrl).recognize(request);
    await expect.poll(() => requests.length).toBe(1);
    nobody.abort(new Error("gone"));
    await expect(recognized).rejects.toThrow();
    expect(requests).toHaveLength(1);
  });

  test.each([
    [{ text: "Hello.", language: null }, "Hello.", null],
    [{ text: "Hello.", language: 7 }, "Hello.", null],
    [{ text: null }, "", null],
    [{ segments: [{ text: " Hello" }, { text: " there." }], language: "en" }, "Hello  there.", "en"],
  ])("of %j has words", async (answer, text, locale) => {
    expect(await heard(answer)).toEqual({ text: text.replace("  ", " "), locale });
  });

  test.each([
    "[BLANK_AUDIO]",
    " [ Silence ] ",
    "(silence)",
    "[Music] ♪♪",
    "*coughs*",
    "<|nospeech|>",
    "[MUSIC PLAYING] (laughs)",
    "【音乐】",
    "...",
    "（笑い）",
  ])("of %s has none", async (text) => {
    expect((await heard({ text })).text).toBe("");
  });

  test.each([
    ["[BLANK_AUDIO] How much is it?", "How much is it?"],
    ["The chair (the oak one), please.", "The chair (the oak one), please."],
    ["2 * 3 * 4", "2 * 3 * 4"],
  ])("of %s keeps what was said", async (text, words) => {
    expect((await heard({ text })).text).toBe(words);
  });
});

describe("the owner reads what the server says", () => {
  const error = '{"error":{"message":"Model whisper-9 does not exist for key sk-abcdef123456"}}';
  const says = "Its server says: Model whisper-9 does not exist for key …";

  test.each([
    [404, "The engine answered with status 404."],
    [400, "The engine answered with status 400."],
  ])("about a refusal with %d, and its status once", async (status, sentence) => {
    const { baseUrl } = await openAiServer({ status, body: error });
    const whole = `${sentence} ${says}.`;
    expect((await triedRecognizer(baseUrl)).detail).toBe(whole);
    expect((await tryVoice(voiceAt(baseUrl), "alloy")).detail).toBe(whole);
  });

  test("about an error with status 200", async () => {
    const { baseUrl } = await openAiServer({ status: 200, body: error });
    expect((await triedRecognizer(baseUrl)).detail).toBe(`The engine answered without a text. ${says}.`);
    expect((await tryVoice(voiceAt(baseUrl), "alloy")).detail).toBe(
      `The engine answered without sound. ${says}.`,
    );
  });

  test("and what visitors get says nothing of it", async () => {
    const { baseUrl } = await openAiServer({ status: 400, body: error });
    const spoken = voiceAt(baseUrl).synthesize({ text: "Hi", voice: "alloy" });
    await expect(spoken).rejects.toThrow("The speech engine could not be used.");
  });

  test("no validation as JSON, where the answer has another shape", async () => {
    const { baseUrl } = await openAiServer({ status: 200, body: '{"result":"hello"}' });
    expect((await triedRecognizer(baseUrl)).detail).toBe("The engine answered without a text.");
  });
});

describe("Azure's address", () => {
  test("keeps its query, and its key goes into the header api-key", async () => {
    const { baseUrl, requests } = await openAiServer({
      speech: () => encodeWav(sound, 24_000),
      transcription: () => ({ text: "Hello." }),
    });
    const address = `${baseUrl}/?api-version=2025-03-01`;
    await recognizerAt(address).recognize({ pcm: sound, sampleRateHz: 16_000 });
    await voiceAt(address).synthesize({ text: "Hello.", voice: "alloy" });
    await voiceAt(baseUrl, "azure").synthesize({ text: "Hello.", voice: "alloy" });
    expect(requests.map(({ path, authorization, apiKey }) => [path, authorization, apiKey])).toEqual([
      ["/v1/audio/transcriptions?api-version=2025-03-01", undefined, "k1"],
      ["/v1/audio/speech?api-version=2025-03-01", undefined, "k1"],
      ["/v1/audio/speech", undefined, "k1"],
    ]);
  });
});
