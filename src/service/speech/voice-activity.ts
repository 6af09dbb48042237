import type { RecognitionRequest } from "./speech-recognizer.ts";

/** A span of speech in a recording, in ms from its start. */
export interface SpeechSpan {
  startMs: number;
  endMs: number;
}

/** Finds speech in recordings. */
export interface VoiceActivity {
  /** The spans of speech, in order; empty if nobody speaks. Rejects with an Error for the operator's log. */
  speechIn(recording: Omit<RecognitionRequest, "language">): Promise<SpeechSpan[]>;
  close(): Promise<void>;
}
