import type { Speech } from "./speech-synthesizer.ts";

/** What the worker thread is started with: the path of eSpeak NG's script. */
export interface EspeakWorkerData {
  modulePath: string;
}

/** A text to be spoken. */
export interface EspeakJob {
  text: string;
  voice: string;
}

/** The text's speech, or why there is none. */
export type EspeakOutcome = { ok: true; speech: Speech } | { ok: false; detail: string };
