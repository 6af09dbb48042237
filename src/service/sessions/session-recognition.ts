import type { SttResponse } from "../../protocol/recognition.ts";
import { Fault } from "../fault.ts";
import type { AudioErrorCode } from "../speech/audio-error.ts";
import type { Recognition, RecognitionRequest, SpeechRecognizer } from "../speech/speech-recognizer.ts";
import type { SessionRecord, SessionRequest } from "../store/store.ts";
import type { SessionDependencies } from "./session-dependencies.ts";
import { normalizedForSession, type NormalizationDependencies } from "./session-normalization.ts";

type RecognitionDependencies = NormalizationDependencies & Pick<SessionDependencies, "recognizer">;

/** Throws a Fault: 400 where the session has no stt_type, 500 where its engine is not there. */
async function sessionEngine(
  { store, recognizer }: RecognitionDependencies,
  session: SessionRecord,
): Promise<{ engine: SpeechRecognizer; request: SessionRequest }> {
  const request = (await store.sessions.detail(session.id))?.request;
  if (request?.stt_type === undefined)
    throw Fault.invalid("invalid", "This session was created without an stt_type.");
  const row = await store.catalogue.row("stt_type", session.organizationId, request.stt_type);
  const engine = row && recognizer(row);
  if (!engine) throw Fault.server("The session's speech recognition is not available.");
  return { engine, request };
}

const audioCodes: readonly AudioErrorCode[] = ["empty", "broken", "unsupported", "too_long"];

/** What is wrong with a file, or undefined where the error says nothing about the file. */
export function audioFault(error: unknown): { code: AudioErrorCode; detail: string } | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  const code = audioCodes.find((known) => known === error.code);
  return code && { code, detail: error.message };
}

/** What an engine hears, with a Fault where it fails: the field `audio`'s where the file is to blame, else ours. */
async function heardBy(
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

/** Normalizes what was heard by the session's STT config. */
async function answered(
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
 * Writes down speech with the session's own engine, and normalizes it by the session's STT config. Throws a Fault: 400 where
 * the session has no stt_type, 500 where its engine fails.
 */
export async function recognizeSpeech(
  dependencies: RecognitionDependencies,
  session: SessionRecord,
  speech: RecognitionRequest,
): Promise<SttResponse> {
  const { engine, request } = await sessionEngine(dependencies, session);
  const heard = await heardBy(engine.recognize({ ...speech, session: session.id }), speech.signal);
  return answered(dependencies, session, request, heard, speech);
}

/** An audio file as it was uploaded. */
interface Upload {
  bytes: Uint8Array;
  language: string | undefined;
  signal: AbortSignal;
}

/**
 * Answers POST …/stt/: a WAV or MP3 file, or one of another format that the session's engine reads itself. Throws a Fault.
 */
export async function recognizeFile(
  dependencies: RecognitionDependencies & Pick<SessionDependencies, "audio">,
  session: SessionRecord,
  { bytes, language, signal }: Upload,
): Promise<SttResponse> {
  const { engine, request } = await sessionEngine(dependencies, session);
  const asFile = engine.recognizeFile?.({ bytes, language, signal });
  if (asFile)
    return answered(dependencies, session, request, await heardBy(asFile, signal), { language, signal });
  const order = { session: session.id, signal };
  const audio = await dependencies.audio.decode(bytes, order).catch((error: unknown) => {
    signal.throwIfAborted();
    const fault = audioFault(error);
    if (fault) throw Fault.invalid("invalid", fault.detail, "audio");
    throw Fault.server("The audio could not be read.", error);
  });
  const speech = { ...audio, language, ...order };
  return answered(dependencies, session, request, await heardBy(engine.recognize(speech), signal), speech);
}
