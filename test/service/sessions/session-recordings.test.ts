import { expect, test } from "vitest";
import type { LanguageModel } from "../../../src/service/language/language-model.ts";
import type { SpeechRecognizer } from "../../../src/service/speech/speech-recognizer.ts";
import { runService } from "../service-fixture.ts";

const recording = { pcm: new Int16Array(16_000), sampleRateHz: 16_000 };
const { signal } = new AbortController();

/** Writes down what a test says it heard. */
function hearing(text: string | Error): SpeechRecognizer {
  return {
    recognize: ({ language }) =>
      text instanceof Error ? Promise.reject(text) : Promise.resolve({ text, locale: language ?? null }),
    close: () => Promise.resolve(),
  };
}

/** A model that says a sentence's language and the sentence itself. */
const echo: LanguageModel = {
  async *answer({ systemPrompt, messages }) {
    await Promise.resolve();
    const content = `${/to (\w+)\./.exec(systemPrompt)?.[1]}: ${messages.at(-1)?.content}`;
    yield { status: "success", type: "message", role: "assistant", content };
  },
};

async function listening(text: string | Error, fields: Record<string, unknown> = {}) {
  const run = await runService({ recognizer: () => hearing(text), languageModel: () => echo });
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

test("a recording is written down, and normalized as the session asks", async () => {
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

test("a language without end reaches no engine", async () => {
  const { run, sessionId } = await listening(new Error("It was reached."));
  const language = "x".repeat(50_000);
  const refused = { ok: false, code: "invalid_language" };
  expect(await run.hooks.recognize(sessionId, { ...recording, language }, signal)).toEqual(refused);
  const wanted = { ...recording, srcLang: language, dstLang: "de" };
  expect(await run.hooks.translate(sessionId, wanted, signal)).toEqual(refused);
});

test("where nothing was heard there is nothing to translate", async () => {
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

test("a recognizer that fails is told as a code, and its reason goes to the log alone", async () => {
  const { run, sessionId } = await listening(new Error("the model file is broken"));
  expect(await run.hooks.recognize(sessionId, recording, signal)).toEqual({
    ok: false,
    code: "engine_failed",
  });
  expect(run.lines.some(({ level, message }) => level === "error" && message === "recording failed")).toBe(
    true,
  );
});
