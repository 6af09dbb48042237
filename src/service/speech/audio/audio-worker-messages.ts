import type { AlignedSpeech, AlignmentInput } from "../alignment/align-speech.ts";
import type { AudioErrorCode, DecodedAudio } from "../../audio/decoded-audio.ts";
import type { Speech } from "../speech-synthesizer.ts";

/** Work on audio that takes too long for the thread that answers requests. */
export type AudioJob =
  | { kind: "decode"; bytes: Uint8Array }
  | { kind: "align"; input: AlignmentInput }
  | { kind: "finish"; input: AlignmentInput };

/** The result of a job. */
export type AudioOutcome =
  | { kind: "decoded"; audio: DecodedAudio }
  | { kind: "aligned"; speech: AlignedSpeech }
  | { kind: "finished"; speech: Speech }
  | { kind: "unusable"; code: AudioErrorCode; detail: string }
  | { kind: "failed"; detail: string };
