import type { FliteSpeech } from "./flite-program.ts";

/** What a worker thread is started with: the module is compiled once and shared. */
export interface FliteWorkerData {
  flite: WebAssembly.Module;
}

/**
 * What a worker thread is asked: to speak an ASCII text, or how words are pronounced, each on its own. After a rehearsal
 * nothing is likely to follow soon.
 */
export type FliteJob =
  | { type: "speak"; text: string; voice: string; isRehearsal?: boolean }
  | { type: "pronounce"; words: readonly string[] };

/** What came of it, or why nothing did. `pronunciations` is undefined where Flite took the words for others. */
export type FliteOutcome =
  | { ok: true; type: "speak"; speech: FliteSpeech }
  | { ok: true; type: "pronounce"; pronunciations: string[][] | undefined }
  | { ok: false; detail: string };
