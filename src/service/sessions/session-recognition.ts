import type { SttResponse } from "../../protocol/recognition.ts";
import { Fault } from "../fault.ts";
import type { AudioErrorCode } from "../audio/audio-error.ts";
import type {
  Recognition,
  RecognitionRequest,
  RecognitionStream,
  RecognitionStreamRequest,
} from "../speech/speech-recognizer.ts";
import type { SessionRecord, SessionRequest } from "../store/store.ts";
import type { SessionDependencies } from "./session-dependencies.ts";
import { normalizedForSession, type NormalizationDependencies } from "./session-normalization.ts";
import { sessionRecognizer } from "./session-recognizer.ts";

type RecognitionDependencies = NormalizationDependencies & Pick<SessionDependencies, "recognizer">;

const audioCodes: readonly AudioErrorCode[] = ["empty", "broken", "unsupported", "too_long"];

/** What is wrong with a file, or undefined when the error is not about the file. */
export function audioFault(error: unknown): { code: AudioErrorCode; detail: string } | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  const code = audioCodes.find((known) => known === error.code);
  return code && { code, detail: error.message };
}

/**
 * What an engine recognizes. Throws a Fault when it fails: for the field `audio` if the file is the cause, else a server error.
 */
async function recognizedBy(
  recognition: Promise<Recognition>,
  signal: AbortSignal | undefined,
): Promise<Recognition> {
  try {
    return await recognition;
  } catch (error) {
    signal?.throwIfAborted();
    const fault = audioFault(error);
    if (fault) throw Fault.invalid("invalid", fault.detail, "audio");
    throw Fault.server("The speech recognition engine failed.", error);
  }
}

/** Normalizes the recognized text by the session's STT config. */
async function normalizedAnswer(
  dependencies: RecognitionDependencies,
  session: SessionRecord,
  request: SessionRequest,
  { text, locale }: Recognition,
  { language, signal }: Pick<RecognitionRequest, "language" | "signal">,
): Promise<SttResponse> {
  const normalized = await normalizedForSession(dependencies, session, request, {
    direction: "stt",
    text,
    signal,
  });
  return { text, locale: locale ?? language ?? null, normalized_text: normalized };
}

/**
 * Transcribes speech with the session's engine, and normalizes the text by the session's STT config. Throws a Fault: 400 when the
 * session has no stt_type, 500 when its engine fails. `heard`: the engine has heard the speech already.
 */
export async function recognizeSpeech(
  dependencies: RecognitionDependencies,
  session: SessionRecord,
  speech: RecognitionRequest,
  heard: Recognition | null = null,
): Promise<SttResponse> {
  const { engine, request } = await sessionRecognizer(dependencies, session, speech.language);
  const recognition =
    heard ?? (await recognizedBy(engine.recognize({ ...speech, session: session.id }), speech.signal));
  return normalizedAnswer(dependencies, session, request, recognition, speech);
}

/** Whether to recognize what may turn out to be only a part of a sentence costs nothing but time. Throws a Fault. */
export async function maySpeculate(
  dependencies: RecognitionDependencies,
  session: SessionRecord,
  language: string | undefined,
): Promise<boolean> {
  return (await sessionRecognizer(dependencies, session, language)).engine.isLocal ?? false;
}

/**
 * Opens a stream of the session's engine, for recognition while somebody speaks; null if the engine cannot do that. `charge` is
 * called before, only if it can. Throws a Fault, and what `charge` throws.
 */
export async function openStream(
  dependencies: RecognitionDependencies,
  session: SessionRecord,
  request: Omit<RecognitionStreamRequest, "session">,
  charge: () => Promise<void>,
): Promise<RecognitionStream | null> {
  const { engine } = await sessionRecognizer(dependencies, session, request.language);
  if (!engine.openStream) return null;
  await charge();
  return engine.openStream({ ...request, session: session.id });
}

/** An uploaded audio file. */
interface Upload {
  bytes: Uint8Array;
  language: string | undefined;
  signal: AbortSignal;
}

/** Answers POST …/stt/: a WAV or MP3 file, or another format that the session's engine can read itself. Throws a Fault. */
export async function recognizeFile(
  dependencies: RecognitionDependencies & Pick<SessionDependencies, "audio">,
  session: SessionRecord,
  { bytes, language, signal }: Upload,
): Promise<SttResponse> {
  const { engine, request } = await sessionRecognizer(dependencies, session, language);
  const asFile = engine.recognizeFile?.({ bytes, language, signal });
  if (asFile)
    return normalizedAnswer(dependencies, session, request, await recognizedBy(asFile, signal), {
      language,
      signal,
    });
  const order = { session: session.id, signal };
  const audio = await dependencies.audio.decode(bytes, order).catch((error: unknown) => {
    signal.throwIfAborted();
    const fault = audioFault(error);
    if (fault) throw Fault.invalid("invalid", fault.detail, "audio");
    throw Fault.server("The audio could not be read.", error);
  });
  const speech = { ...audio, language, ...order };
  return normalizedAnswer(
    dependencies,
    session,
    request,
    await recognizedBy(engine.recognize(speech), signal),
    speech,
  );
}
