import type { AlignedSpeech } from "./align-speech.ts";
import type { DecodedAudio } from "./decoded-audio.ts";

/** Audio that came without timings, with its text where it is known. */
export interface UntimedSpeech extends DecodedAudio {
  /** What is said in it; empty where that is not known. */
  text: string;
}

/** Whom audio is worked on for (sessions are served in turn), and whether anybody still waits for it. */
export interface AudioOrder {
  session?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** Reads audio files and finds the words and mouth shapes in speech. */
export interface AudioDesk {
  /** The samples of a WAV or MP3 file, mixed into one channel. Rejects with AudioError. */
  decode(bytes: Uint8Array, order?: AudioOrder): Promise<DecodedAudio>;
  /** Where words and mouth shapes lie, in ms: by the text, or by loudness where there is none that could be followed. */
  align(speech: UntimedSpeech, order?: AudioOrder): Promise<AlignedSpeech>;
  close(): Promise<void>;
}
