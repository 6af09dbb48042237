import type { AlignedSpeech } from "../alignment/align-speech.ts";
import type { Speech } from "../speech-synthesizer.ts";
import type { DecodedAudio } from "../../audio/decoded-audio.ts";

/** Audio without timings, with its text if known. */
export interface UntimedSpeech extends DecodedAudio {
  /** The spoken text; empty if unknown. */
  text: string;
}

/** The session that a job belongs to (the queue is fair between sessions), and the signal that cancels it. */
export interface AudioJobContext {
  session?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** Reads audio files and finds the words and mouth shapes in speech. */
export interface AudioProcessor {
  /** The samples of a file in a format that the service reads (audio/decode-recording.ts), mixed into one channel. Rejects with AudioError. */
  decode(bytes: Uint8Array, order?: AudioJobContext): Promise<DecodedAudio>;
  /** Finds the times of words and visemes, in ms: from the text, or from loudness if the text is missing or does not match. */
  align(speech: UntimedSpeech, order?: AudioJobContext): Promise<AlignedSpeech>;
  /** Speech of an engine without timings: with its words and visemes, at the common loudness, without silence at its ends. */
  finish(speech: UntimedSpeech, order?: AudioJobContext): Promise<Speech>;
  close(): Promise<void>;
}
