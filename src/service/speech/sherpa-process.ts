import { createRequire } from "node:module";
import type { SherpaArguments, SherpaJob, SherpaOutcome } from "./sherpa-messages.ts";

/**
 * Entry of the process that runs one model of sherpa-onnx: one job in, one outcome out, in order. It is a process of its own
 * because sherpa-onnx ends the process that it is in, or never answers, where a model's files do not fit together.
 */

/** Samples as sherpa-onnx has them: fractions of full scale. */
interface SherpaAudio {
  samples: Float32Array;
  sampleRate: number;
}

interface SherpaStream {
  acceptWaveform(audio: SherpaAudio): void;
}

interface SherpaRecognizer {
  createStream(): SherpaStream;
  decodeAsync(stream: SherpaStream): Promise<{ text?: unknown; lang?: unknown }>;
}

interface SherpaVoice {
  generateAsync(request: { text: string; sid: number; speed: number }): Promise<SherpaAudio>;
}

/** The part of sherpa-onnx-node that is used: what answers later, since the rest ends the process where it should throw. */
interface SherpaModule {
  OfflineRecognizer: { createAsync(config: unknown): Promise<SherpaRecognizer> };
  OfflineTts: { createAsync(config: unknown): Promise<SherpaVoice> };
}

const [modulePath, config] = process.argv.slice(2) as SherpaArguments;

let recognizer: SherpaRecognizer | undefined;
let voice: SherpaVoice | undefined;

function sherpa(): SherpaModule {
  return createRequire(modulePath)(modulePath) as SherpaModule;
}

async function recognized({ pcm, sampleRateHz }: SherpaJob & { kind: "recognize" }): Promise<SherpaOutcome> {
  recognizer ??= await sherpa().OfflineRecognizer.createAsync(JSON.parse(config));
  const stream = recognizer.createStream();
  const samples = Float32Array.from(pcm, (sample) => sample / 32_768);
  stream.acceptWaveform({ samples, sampleRate: sampleRateHz });
  const { text, lang } = await recognizer.decodeAsync(stream);
  return {
    kind: "recognized",
    text: typeof text === "string" ? text : "",
    language: typeof lang === "string" ? lang : "",
  };
}

/** What the voice has no sounds for is an error to sherpa-onnx. */
function nothingSpoken(error: unknown): SherpaAudio {
  if (error instanceof Error && error.message.includes("no audio"))
    return { samples: new Float32Array(0), sampleRate: 0 };
  throw error;
}

async function spoken({ text, speaker, speed }: SherpaJob & { kind: "speak" }): Promise<SherpaOutcome> {
  voice ??= await sherpa().OfflineTts.createAsync(JSON.parse(config));
  const { samples, sampleRate } = await voice
    .generateAsync({ text, sid: speaker, speed })
    .catch(nothingSpoken);
  const pcm = Int16Array.from(samples, (value) => Math.round(Math.max(-1, Math.min(1, value)) * 32_767));
  return { kind: "spoken", audio: { pcm, sampleRateHz: sampleRate } };
}

async function run(job: SherpaJob): Promise<SherpaOutcome> {
  try {
    return await (job.kind === "recognize" ? recognized(job) : spoken(job));
  } catch (error) {
    return { kind: "failed", detail: error instanceof Error ? error.message : String(error) };
  }
}

process.on("message", (job: SherpaJob) => void run(job).then((outcome) => process.send?.(outcome)));
// Whoever started it is gone.
process.on("disconnect", () => process.exit());
