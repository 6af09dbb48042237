import type { AlignedSpeech, AlignmentInput } from "./align-speech.ts";
import type { AudioErrorCode } from "./audio-error.ts";
import type { DecodedAudio } from "./decoded-audio.ts";

/** Work on audio that takes too long for the thread that answers requests. */
export type AudioJob = { kind: "decode"; bytes: Uint8Array } | { kind: "align"; input: AlignmentInput };

/** What came of it. */
export type AudioOutcome =
  | { kind: "decoded"; audio: DecodedAudio }
  | { kind: "aligned"; speech: AlignedSpeech }
  | { kind: "unusable"; code: AudioErrorCode; detail: string }
  | { kind: "failed"; detail: string };
