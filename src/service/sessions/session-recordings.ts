import { Fault } from "../fault.ts";
import { sessionReference } from "../../logging/logger.ts";
import type { RecordingOutcome, RecordingToTranslate } from "../media/media-engine.ts";
import type { Recognition, RecognitionRequest } from "../speech/speech-recognizer.ts";
import type { SessionRecord } from "../store/store.ts";
import type { LanguageDependencies } from "./session-language.ts";
import { recognizeSpeech } from "./session-recognition.ts";
import { TranslationError, translateText } from "./session-translation.ts";

type RecordingDependencies = Parameters<typeof recognizeSpeech>[0] & LanguageDependencies;

/** The longest accepted language tag, in characters. The tag comes from the client and reaches engines and prompts. */
const languageMaxLength = 35;

function checkLanguages(...languages: readonly (string | undefined)[]): void {
  if (languages.some((language) => (language?.length ?? 0) > languageMaxLength))
    throw new TranslationError("invalid_language", "A language must be a tag such as de or pt-BR.");
}

/** The code that tells the client why there is no text: `no_recognizer`, a code of the translation, or `engine_failed`. */
function codeOf(error: unknown): string {
  if (error instanceof TranslationError) return error.code;
  return error instanceof Fault && error.status === 400 ? "no_recognizer" : "engine_failed";
}

async function outcomeOf(
  { log }: RecordingDependencies,
  session: SessionRecord,
  signal: AbortSignal | undefined,
  text: () => Promise<string>,
): Promise<RecordingOutcome> {
  try {
    return { ok: true, text: await text() };
  } catch (error) {
    const code = codeOf(error);
    if (code === "engine_failed" && !signal?.aborted)
      log.error("recording failed", { session: sessionReference(session.id), error: String(error) });
    return { ok: false, code };
  }
}

/** The text of a recording, normalized as the session is configured. Never rejects. `heard`: what the recognizer has heard of it. */
export function recordedText(
  dependencies: RecordingDependencies,
  session: SessionRecord,
  recording: RecognitionRequest,
  heard: Recognition | null = null,
): Promise<RecordingOutcome> {
  return outcomeOf(dependencies, session, recording.signal, async () => {
    checkLanguages(recording.language);
    return (await recognizeSpeech(dependencies, session, recording, heard)).normalized_text;
  });
}

/** The text of a recording, translated into another language. Never rejects. */
export function translatedRecording(
  dependencies: RecordingDependencies,
  session: SessionRecord,
  { srcLang, dstLang, ...recording }: RecordingToTranslate & { signal: AbortSignal },
): Promise<RecordingOutcome> {
  const { signal } = recording;
  return outcomeOf(dependencies, session, signal, async () => {
    checkLanguages(srcLang, dstLang);
    const heard = await recognizeSpeech(dependencies, session, { ...recording, language: srcLang });
    if (heard.normalized_text.trim() === "") return "";
    return translateText(dependencies, session, { text: heard.normalized_text, srcLang, dstLang, signal });
  });
}
