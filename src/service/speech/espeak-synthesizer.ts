import { existsSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import type { EspeakJob, EspeakOutcome, EspeakWorkerData } from "./espeak-worker-messages.ts";
import { SpeechError } from "./speech-error.ts";
import { sentenceSynthesizer } from "./sentence-synthesizer.ts";
import { SpeechMemory } from "./speech-memory.ts";
import type { SpeechSynthesizer } from "./speech-synthesizer.ts";
import { startThread } from "./pool-worker.ts";
import { WorkerPool } from "./worker-pool.ts";

/** 5,000 characters take about 2 s; this is for a text that never ends. */
const jobTimeoutMs = 20_000;

const packageName = "@echogarden/espeak-ng-emscripten";
const script = "espeak-ng.js";

/** Some of its more than a hundred voices; a row may name any other. */
const commonVoices = [
  "en-us",
  "en-gb",
  "ko",
  "de",
  "fr",
  "es",
  "it",
  "pt",
  "nl",
  "pl",
  "sv",
  "tr",
  "vi",
] as const;

/**
 * The script of eSpeak NG's package: in the folder that is given (the package itself, or one where it was installed), else
 * beside this program. Null where it is not installed.
 */
export function findEspeak(folder?: string): string | null {
  if (folder !== undefined) {
    const places = ["", packageName, join("node_modules", packageName)];
    const found = places.map((place) => resolve(folder, place, script)).find((path) => existsSync(path));
    return (
      found ??
      (folder.endsWith(".js") && existsSync(folder) && statSync(folder).isFile() ? resolve(folder) : null)
    );
  }
  try {
    return createRequire(import.meta.url).resolve(packageName);
  } catch {
    return null;
  }
}

/** What the engine is made from. */
export interface EspeakOptions {
  /** Where `espeak-worker` lies, built as a script that Node runs. */
  workerUrl: URL;
  /** From `findEspeak`. */
  modulePath: string;
}

/** Speaks more than a hundred languages with eSpeak NG in a worker thread, with words and mouth shapes from its own phonemes. */
export function createEspeakSynthesizer({ workerUrl, modulePath }: EspeakOptions): SpeechSynthesizer {
  const workerData: EspeakWorkerData = { modulePath };
  const pool = new WorkerPool<EspeakJob, EspeakOutcome>({
    start: () => startThread(workerUrl, workerData),
    size: 1,
    jobTimeoutMs,
  });
  const remembered = new SpeechMemory();
  return sentenceSynthesizer({
    voices: commonVoices,
    async synthesize({ text, voice, session, signal }) {
      signal?.throwIfAborted();
      if (!/[\p{L}\p{N}]/u.test(text))
        throw SpeechError.unspeakable("The text has no word or number that could be spoken.");
      const known = remembered.get(voice, text);
      if (known) return known;
      const outcome = await pool
        .run({ text, voice }, { session, signal, cost: text.length })
        .catch((error: unknown) => {
          signal?.throwIfAborted();
          throw SpeechError.ofWorker(error);
        });
      if (!outcome.ok) throw SpeechError.engineFailed(`The speech engine failed: ${outcome.detail}`);
      remembered.set(voice, text, outcome.speech);
      return outcome.speech;
    },
    close: () => pool.close(),
  });
}
