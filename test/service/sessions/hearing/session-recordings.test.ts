import { describe, expect, test, vi } from "vitest";
import type { LanguageModel } from "../../../../src/service/language/language-model.ts";
import { LiveWords } from "../../../../src/service/media/hearing/live-words.ts";
import type { RecordingPiece } from "../../../../src/service/media/media-engine.ts";
import { MicrophoneRecording } from "../../../../src/service/media/hearing/microphone-recording.ts";
import type { SpeechRecognizer } from "../../../../src/service/speech/speech-recognizer.ts";
import { runService } from "../../service-fixture.ts";

const recording = { pcm: new Int16Array(16_000), sampleRateHz: 16_000 };
const { signal } = new AbortController();

/** A recognizer that returns the text that the test sets. */
function hearing(text: string | Error): SpeechRecognizer {
  return {
    recognize: ({ language }) =>
      text instanceof Error ? Promise.reject(text) : Promise.resolve({ text, locale: language ?? null }),
    close: () => Promise.resolve(),
  };
}

/** A model that answers with the requested language and the sentence itself. */
const echo: LanguageModel = {
  async *answer({ systemPrompt, messages }) {
    await Promise.resolve();
    const content = `${/to (\w+)\./.exec(systemPrompt)?.[1]}: ${messages.at(-1)?.content}`;
    yield { status: "success", type: "message", role: "assistant", content };
  },
};

async function listening(text: string | Error, fields: Record<string, unknown> = {}) {
  return listeningWith(hearing(text), fields);
}

async function listeningWith(engine: SpeechRecognizer, fields: Record<string, unknown> = {}) {
  const run = await runService({ recognizer: () => engine, languageModel: () => echo });
  await run.store.catalogue.put({
    kind: "stt_type",
    id: "ears",
    name: "ears",
    organizationId: null,
    createdAtMs: 0,
    body: { name: "ears", service: "visavis", options: null },
  });
  const capability = ["STF_WEBRTC", "STT"];
  return { run, sessionId: await run.newSession({ capability, stt_type: "ears", ...fields }) };
}

test("a recording is recognized, and normalized by the session's config", async () => {
  const config = "visavis-english";
  const { run, sessionId } = await listening("it costs $5", { stt_text_normalization_config: config });
  const heard = await run.hooks.recognize(sessionId, recording, signal);
  expect(heard).toEqual({ ok: true, text: "it costs five dollars" });
});

test("a recording is translated by the session's language model", async () => {
  const { run, sessionId } = await listening("good morning");
  const wanted = { ...recording, srcLang: "en", dstLang: "de" };
  expect(await run.hooks.translate(sessionId, wanted, signal)).toEqual({
    ok: true,
    text: "German: good morning",
  });
  expect(await run.hooks.translate(sessionId, { ...wanted, dstLang: "?" }, signal)).toEqual({
    ok: false,
    code: "invalid_language",
  });
});

test("a language tag that is too long reaches no engine", async () => {
  const { run, sessionId } = await listening(new Error("It was reached."));
  const language = "x".repeat(50_000);
  const refused = { ok: false, code: "invalid_language" };
  expect(await run.hooks.recognize(sessionId, { ...recording, language }, signal)).toEqual(refused);
  const wanted = { ...recording, srcLang: language, dstLang: "de" };
  expect(await run.hooks.translate(sessionId, wanted, signal)).toEqual(refused);
});

test("an empty recognition is not translated", async () => {
  const { run, sessionId } = await listening("");
  const wanted = { ...recording, srcLang: "en", dstLang: "de" };
  expect(await run.hooks.translate(sessionId, wanted, signal)).toEqual({ ok: true, text: "" });
});

test("a session without an stt_type has no recognizer", async () => {
  const run = await runService({ languageModel: () => echo });
  const sessionId = await run.newSession();
  expect(await run.hooks.recognize(sessionId, recording, signal)).toEqual({
    ok: false,
    code: "no_recognizer",
  });
});

test("a failing recognizer is reported as a code, and its reason only in the log", async () => {
  const { run, sessionId } = await listening(new Error("the model file is broken"));
  expect(await run.hooks.recognize(sessionId, recording, signal)).toEqual({
    ok: false,
    code: "engine_failed",
  });
  expect(run.lines.some(({ level, message }) => level === "error" && message === "recording failed")).toBe(
    true,
  );
});

/** A recognizer that hears a digit for each 100 samples, and tells when a stream is discarded. `fails`: at its end. */
function streaming(told: string[], fails = false): SpeechRecognizer {
  return {
    recognize: ({ pcm }) => Promise.resolve({ text: `whole of ${pcm.length}`, locale: null }),
    openStream({ onPartial, signal }) {
      let heard = 0;
      signal?.addEventListener("abort", () => told.push("discarded"));
      return {
        write(pcm) {
          heard += pcm.length;
          onPartial("1".repeat(heard / 100));
        },
        end: () =>
          fails
            ? Promise.reject(new Error("the model has ended"))
            : Promise.resolve({ text: `streamed ${heard}`, locale: null }),
      };
    },
    close: () => Promise.resolve(),
  };
}

const piece = (recordingId: string, samples: number, isDropped = false): RecordingPiece => ({
  recordingId,
  pcm: new Int16Array(samples),
  sampleRateHz: 16_000,
  isDropped,
});

test("a recording is heard while it goes on, and its text comes from the same stream", async () => {
  const { run, sessionId } = await listeningWith(streaming([]), {
    stt_text_normalization_config: "visavis-english",
  });
  expect(await run.hooks.hear(sessionId, piece("one", 100), signal)).toBe("1");
  expect(await run.hooks.hear(sessionId, piece("one", 200), signal)).toBe("111");
  const whole = {
    pcm: new Int16Array(500),
    sampleRateHz: 16_000,
    heard: { recordingId: "one", samples: 300 },
  };
  const text = await run.hooks.recognize(sessionId, whole, signal);
  expect(text).toEqual({ ok: true, text: expect.stringMatching(/^streamed/) as string });
});

test("the whole recording is recognized when its stream has failed", async () => {
  const { run, sessionId } = await listeningWith(streaming([], true));
  expect(await run.hooks.hear(sessionId, piece("one", 200), signal)).toBe("11");
  const whole = {
    pcm: new Int16Array(300),
    sampleRateHz: 16_000,
    heard: { recordingId: "one", samples: 200 },
  };
  expect(await run.hooks.recognize(sessionId, whole, signal)).toEqual({ ok: true, text: "whole of 300" });
  expect(run.lines.some(({ message }) => message === "recognition while speaking failed")).toBe(true);
});

test("the stream of a recording that is dropped ends", async () => {
  const told: string[] = [];
  const { run, sessionId } = await listeningWith(streaming(told));
  await run.hooks.hear(sessionId, piece("one", 100), signal);
  await run.hooks.hear(sessionId, piece("one", 0, true), signal);
  expect(told).toEqual(["discarded"]);
});

test("what was said before a media process died is no part of the session's next recording", async () => {
  const { run, sessionId } = await listeningWith(streaming([]));
  /** What is understood of the first recording of a new connection, of so many ms. */
  async function understood(ms: number): Promise<string> {
    return new Promise((resolve) => {
      const words = new LiveWords({
        hear: (piece) => ({
          outcome: run.hooks.hear(sessionId, piece, signal),
          abandon: () => undefined,
        }),
        onWords: resolve,
        guard: (handler) => handler,
      });
      const recording = new MicrophoneRecording();
      words.begin(recording);
      recording.take({ samples: new Int16Array(ms * 16), sampleRate: 16_000, channelCount: 1 });
      words.handleHeard(true);
    });
  }
  // The process dies without a word: nobody drops this recording.
  const first = await understood(200);
  expect(first).toMatch(/^1+$/);
  expect(await understood(200)).toBe(first);
});

test("a recognizer of whole recordings hears nothing while they go on", async () => {
  const { run, sessionId } = await listening("good morning");
  expect(await run.hooks.hear(sessionId, piece("one", 100), signal)).toBeNull();
});

/** A recognizer that hears this, of one language. */
const only = (text: string, isLocal: boolean): SpeechRecognizer => ({ ...hearing(text), isLocal });

const speculative = { ...recording, isSpeculative: true };

test("words up to a pause are recognized on this machine, and on no other", async () => {
  const here = await listeningWith(only("good morning", true));
  expect(await here.run.hooks.recognize(here.sessionId, speculative, signal)).toEqual({
    ok: true,
    text: "good morning",
  });
  const elsewhere = await listeningWith(only("good morning", false));
  const outcome = await elsewhere.run.hooks.recognize(elsewhere.sessionId, speculative, signal);
  expect(outcome).toEqual({ ok: false, code: "not_now" });
});

test("words up to a pause are not recognized while another recording is", async () => {
  let finish: (() => void) | undefined;
  const { run, sessionId } = await listeningWith({
    isLocal: true,
    recognize: () =>
      new Promise((resolve) => (finish = () => resolve({ text: "good morning", locale: null }))),
    close: () => Promise.resolve(),
  });
  const needed = run.hooks.recognize(sessionId, recording, signal);
  await vi.waitFor(() => expect(finish).toBeDefined());
  expect(await run.hooks.recognize(sessionId, speculative, signal)).toEqual({ ok: false, code: "not_now" });
  finish?.();
  expect(await needed).toEqual({ ok: true, text: "good morning" });
});

test("a session has half as many recognitions at pauses as others, counted apart", async () => {
  const { run, sessionId } = await listeningWith(only("good morning", true));
  const outcomes = [];
  for (let at = 0; at < 16; at++) outcomes.push(await run.hooks.recognize(sessionId, speculative, signal));
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(15);
  expect(await run.hooks.recognize(sessionId, recording, signal)).toEqual({ ok: true, text: "good morning" });
});

describe("of several recognizers of one language each", () => {
  const texts: Record<string, string> = { ears: "good morning", "korean-ears": "안녕하세요", remote: "없음" };

  async function withLanguages(fields: Record<string, unknown> = {}) {
    const run = await runService({
      recognizer: ({ id }) => only(texts[id] ?? "", id !== "remote"),
      languageModel: () => echo,
    });
    const rows = [
      ["ears", "en-US"],
      ["remote", "ko"],
      ["korean-ears", "ko-KR"],
    ] as const;
    for (const [id, locale] of rows)
      await run.store.catalogue.put({
        ...{ kind: "stt_type", id, name: id, organizationId: null, createdAtMs: 0 },
        body: { name: id, service: "onpremise", options: null },
        engine: { type: "command", locale },
      });
    const capability = ["STF_WEBRTC", "STT"];
    return { run, sessionId: await run.newSession({ capability, stt_type: "ears", ...fields }) };
  }

  test.each([
    ["the context's", "en", "good morning"],
    ["the context's, where none understands the language", "de", "good morning"],
    ["the one of the visitor's language on this machine", "ko", "안녕하세요"],
  ])("a session uses %s", async (_name, language, text) => {
    const { run, sessionId } = await withLanguages();
    expect(await run.hooks.recognize(sessionId, { ...recording, language }, signal)).toEqual({
      ok: true,
      text,
    });
  });

  test("a session of a Korean page uses the Korean one, also for a client that names no language", async () => {
    const { run, sessionId } = await withLanguages({ extra_data: { locale: "ko-KR" } });
    expect(await run.hooks.recognize(sessionId, recording, signal)).toEqual({ ok: true, text: "안녕하세요" });
  });
});
