import { Fault } from "../fault.ts";
import { sessionReference } from "../log.ts";
import type { RecordingOutcome, RecordingToTranslate } from "../media/media-engine.ts";
import type { RecognitionRequest } from "../speech/speech-recognizer.ts";
import type { SessionRecord } from "../store/store.ts";
import type { LanguageDependencies } from "./session-language.ts";
import { recognizeSpeech } from "./session-recognition.ts";
import { TranslationError, translateText } from "./session-translation.ts";

type RecordingDependencies = Parameters<typeof recognizeSpeech>[0] & LanguageDependencies;

/** The longest language tag that is read, in characters; what a client sends reaches engines and prompts. */
const languageMaxLength = 35;

function checkLanguages(...languages: readonly (string | undefined)[]): void {
  if (languages.some((language) => (language?.length ?? 0) > languageMaxLength))
    throw new TranslationError("invalid_language", "A language must be a tag such as de or pt-BR.");
}

/** Why there is no text, as a client is told: `no_recognizer`, a code of the translation, or `engine_failed`. */
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

/** What was said in a recording, normalized as the session asks. Never rejects. */
export function recordedText(
  dependencies: RecordingDependencies,
  session: SessionRecord,
  recording: RecognitionRequest,
): Promise<RecordingOutcome> {
  return outcomeOf(dependencies, session, recording.signal, async () => {
    checkLanguages(recording.language);
    return (await recognizeSpeech(dependencies, session, recording)).normalized_text;
  });
}

/** What was said in a recording, in another language. Never rejects. */
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
