import { existsSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import type { EspeakJob, EspeakOutcome, EspeakWorkerData } from "./espeak-worker-messages.ts";
import { SpeechError } from "../../speech-error.ts";
import { sentenceSynthesizer } from "../../synthesis/sentence-synthesizer.ts";
import { mannerKey, mannerOf } from "../../synthesis/speech-samples.ts";
import { SpeechMemory } from "../../synthesis/speech-memory.ts";
import type { SpeechSynthesizer } from "../../speech-synthesizer.ts";
import { startThread } from "../../workers/pool-worker.ts";
import { WorkerPool } from "../../workers/worker-pool.ts";
import * as z from "zod";
import type { EngineMachine } from "../../../engines/engine.ts";
import type { SpeechEngine } from "../../speech-engine.ts";

/** 5,000 characters take about 2 s. This limit stops a job that never ends. */
const jobTimeoutMs = 20_000;

const packageName = "@echogarden/espeak-ng-emscripten";
const script = "espeak-ng.js";

/** Some of its more than a hundred voices. A row may name any other. */
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
 * The script of eSpeak NG's package: in the given folder (the package itself, or where it was installed), else next to this
 * program. Null when it is not installed.
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

/** Options of the engine. */
interface EspeakOptions {
  /** The URL of the built script `espeak-worker`. */
  workerUrl: URL;
  /** The result of `findEspeak`. */
  modulePath: string;
}

/** Speaks more than a hundred languages with eSpeak NG in a worker thread. Words and mouth shapes come from its phonemes. */
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
    async synthesize({ text, voice, session, signal, ...request }) {
      signal?.throwIfAborted();
      if (!/[\p{L}\p{N}]/u.test(text))
        throw SpeechError.unspeakable("The text has no word or number that could be spoken.");
      const manner = mannerOf(request);
      const key = mannerKey(voice, manner);
      const known = remembered.get(key, text);
      if (known) return known;
      const outcome = await pool
        .run({ text, voice, manner }, { session, signal, cost: text.length })
        .catch((error: unknown) => {
          signal?.throwIfAborted();
          throw SpeechError.ofWorker(error);
        });
      if (!outcome.ok) throw SpeechError.engineFailed(`The speech engine failed: ${outcome.detail}`);
      remembered.set(key, text, outcome.speech);
      return outcome.speech;
    },
    close: () => pool.close(),
  });
}

function installedEspeak(environment: EngineMachine["environment"]): string | null {
  return findEspeak(environment["VISAVIS_ESPEAK_PATH"] || undefined);
}

/** eSpeak NG: over a hundred languages, offline, installed separately because of its licence (GPL). */
export const espeakEngine: SpeechEngine<object> = {
  kind: "espeak-ng",
  isBuiltIn: true,
  settingsSchema: z.object({}),
  check(_entry, { environment }) {
    if (installedEspeak(environment) !== null) return [];
    return ["eSpeak NG is not installed here; the entry is not available where the server has none."];
  },
  createSynthesizer(_entry, { environment, scriptUrl }) {
    const modulePath = installedEspeak(environment);
    if (modulePath === null) return null;
    return createEspeakSynthesizer({ workerUrl: scriptUrl("espeak-worker"), modulePath });
  },
};
