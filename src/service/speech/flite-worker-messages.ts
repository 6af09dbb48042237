import type { Speech } from "./speech-synthesizer.ts";
import type { SpokenToken } from "./spoken-text.ts";

/** What a worker thread is started with: the module is compiled once and shared. */
export interface FliteWorkerData {
  flite: WebAssembly.Module;
}

/** One piece of text to be spoken. */
export interface FliteJob {
  tokens: SpokenToken[];
  voice: string;
}

/** The piece's speech, or why there is none. */
export type FliteOutcome = { ok: true; speech: Speech } | { ok: false; detail: string };
