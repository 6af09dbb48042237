import type { FliteSpeech, FliteText } from "./flite-program.ts";

/** Start data of a worker thread. The module is compiled once and shared. */
export interface FliteWorkerData {
  flite: WebAssembly.Module;
}

/** A job of a worker thread: to speak a text, or to find the pronunciation of each word on its own. */
export type FliteJob = ({ type: "speak" } & FliteText) | { type: "pronounce"; words: readonly string[] };

/** A job's result, or the reason for its failure. `pronunciations` is undefined when Flite split the words differently. */
export type FliteOutcome =
  | { ok: true; type: "speak"; speech: FliteSpeech }
  | { ok: true; type: "pronounce"; pronunciations: string[][] | undefined }
  | { ok: false; detail: string };
