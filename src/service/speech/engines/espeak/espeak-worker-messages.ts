import type { SpeechManner } from "../../synthesis/speech-samples.ts";
import type { Speech } from "../../speech-synthesizer.ts";

/** Start data of the worker thread: the path of eSpeak NG's script. */
export interface EspeakWorkerData {
  modulePath: string;
}

/** A text to speak. */
export interface EspeakJob {
  text: string;
  voice: string;
  manner: SpeechManner;
}

/** The text's speech, or the reason for the failure. */
export type EspeakOutcome = { ok: true; speech: Speech } | { ok: false; detail: string };
