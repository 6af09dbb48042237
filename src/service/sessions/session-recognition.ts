import type { SttResponse } from "../../protocol/recognition.ts";
import { Fault } from "../fault.ts";
import type { AudioErrorCode } from "../speech/audio-error.ts";
import type { RecognitionRequest } from "../speech/speech-recognizer.ts";
import type { SessionRecord } from "../store/store.ts";
import type { SessionDependencies } from "./session-dependencies.ts";
import { normalizedForSession, type NormalizationDependencies } from "./session-normalization.ts";

type RecognitionDependencies = NormalizationDependencies & Pick<SessionDependencies, "recognizer">;

/**
 * Writes down speech with the session's own engine, and normalizes it by the session's STT config. Throws a Fault: 400 where
 * the session has no stt_type, 500 where its engine fails.
 */
export async function recognizeSpeech(
  dependencies: RecognitionDependencies,
  session: SessionRecord,
  speech: RecognitionRequest,
): Promise<SttResponse> {
  const { store, recognizer } = dependencies;
  const request = (await store.sessions.detail(session.id))?.request;
  if (request?.stt_type === undefined)
    throw Fault.invalid("invalid", "This session was created without an stt_type.");
  const row = await store.catalogue.row("stt_type", session.organizationId, request.stt_type);
  const engine = row && recognizer(row);
  if (!engine) throw Fault.server("The session's speech recognition is not available.");
  const { text, locale } = await engine.recognize(speech).catch((error: unknown) => {
    speech.signal?.throwIfAborted();
    throw Fault.server("The speech recognition engine failed.", error);
  });
  const { signal } = speech;
  const normalized = await normalizedForSession(dependencies, session, request, {
    direction: "stt",
    text,
    signal,
  });
  return { text, locale: locale ?? speech.language ?? null, normalized_text: normalized };
}

const audioCodes: readonly AudioErrorCode[] = ["empty", "broken", "unsupported", "too_long"];

/** What is wrong with a file, or undefined where the error says nothing about the file. */
export function audioFault(error: unknown): { code: AudioErrorCode; detail: string } | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  const code = audioCodes.find((known) => known === error.code);
  return code && { code, detail: error.message };
}

/** Answers POST …/stt/: an audio file of any format that is known. Throws a Fault. */
export async function recognizeFile(
  dependencies: RecognitionDependencies & Pick<SessionDependencies, "audio">,
  session: SessionRecord,
  { bytes, language, signal }: { bytes: Uint8Array; language: string | undefined; signal: AbortSignal },
): Promise<SttResponse> {
  const detail = await dependencies.store.sessions.detail(session.id);
  if (detail?.request.stt_type === undefined)
    throw Fault.invalid("invalid", "This session was created without an stt_type.");
  const audio = await dependencies.audio.decode(bytes, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    const fault = audioFault(error);
    if (fault) throw Fault.invalid("invalid", fault.detail, "audio");
    throw Fault.server("The audio could not be read.", error);
  });
  return recognizeSpeech(dependencies, session, { ...audio, language, signal });
}
