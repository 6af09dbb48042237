import type { DecodedAudio } from "./decoded-audio.ts";

/** What the process of a model is started with, as its arguments: where sherpa-onnx lies, and the model's configuration as JSON. */
export type SherpaArguments = [modulePath: string, config: string];

/** Speech to be written down, or a text to be spoken; a process is asked for one of both only, by what its model can do. */
export type SherpaJob =
  ({ kind: "recognize" } & DecodedAudio) | { kind: "speak"; text: string; speaker: number; speed: number };

/** A job's outcome. `detail` is sherpa-onnx's own word for the operator's log. */
export type SherpaOutcome =
  | { kind: "recognized"; text: string; language: string }
  | { kind: "spoken"; audio: DecodedAudio }
  | { kind: "failed"; detail: string };
