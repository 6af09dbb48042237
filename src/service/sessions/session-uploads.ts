import type { SpeechOutcome } from "../media/media-engine.ts";
import { sessionReference } from "../../logging/logger.ts";
import type { SessionRecord } from "../store/store.ts";
import type { SessionDependencies } from "./session-dependencies.ts";
import { audioFault } from "./session-recognition.ts";

/** Audio that a client uploaded, to be played with lip movement. */
export interface UploadedAudio {
  bytes: Uint8Array;
  /** The format that the client declared. The real format is read from the bytes. */
  format: "wav" | "mp3";
  /** The text spoken in the audio; may be empty. */
  message: string;
  signal?: AbortSignal | undefined;
}

/**
 * Decodes uploaded speech and finds its words and visemes. Never rejects: audio that cannot be played gets a code and a reason.
 */
export async function uploadedSpeech(
  { audio, log }: Pick<SessionDependencies, "audio" | "log">,
  session: SessionRecord,
  { bytes, message, signal }: UploadedAudio,
): Promise<SpeechOutcome> {
  try {
    const decoded = await audio.decode(bytes, { session: session.id, signal });
    const timings = await audio.align({ ...decoded, text: message }, { session: session.id, signal });
    return { ok: true, speech: { ...decoded, ...timings } };
  } catch (error) {
    const fault = audioFault(error);
    if (fault) return { ok: false, code: "invalid_audio", detail: fault.detail };
    if (!signal?.aborted)
      log.error("uploaded audio failed", { session: sessionReference(session.id), error: String(error) });
    return { ok: false, code: "engine_failed", detail: "The audio could not be read." };
  }
}
