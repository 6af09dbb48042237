import type { DecodedAudio } from "../../../audio/decoded-audio.ts";

/** Arguments of a model's process: the path of sherpa-onnx, and the model's configuration as JSON. */
export type SherpaArguments = [modulePath: string, config: string];

/** More speech of a stream. The first job of a stream opens it, and the last one ends it; both may be the same job. */
export interface StreamJob extends DecodedAudio {
  kind: "stream";
  /** A number of the process that sends the jobs. */
  stream: number;
  opens: boolean;
  ends: boolean;
}

/** What to do with a model. A process only gets the kinds of job that its model supports. */
export type SherpaJob =
  | ({ kind: "recognize" } & DecodedAudio)
  | StreamJob
  | { kind: "forget"; stream: number }
  | ({ kind: "detect" } & DecodedAudio)
  | { kind: "speak"; text: string; speaker: number; speed: number };

/** A job's outcome. `detail` is sherpa-onnx's own message, for the operator's log. */
export type SherpaOutcome =
  | { kind: "recognized"; text: string; language: string }
  | { kind: "forgotten" }
  /** Where speech was found: pairs of its first sample and the sample after its last one. */
  | { kind: "detected"; spans: [start: number, end: number][] }
  | { kind: "spoken"; audio: DecodedAudio }
  | { kind: "failed"; detail: string };
