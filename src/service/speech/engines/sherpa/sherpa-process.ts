import { errorMessage } from "../../../faults/error-message.ts";
import {
  detectSpeech,
  loadSherpa,
  type OfflineRecognizer,
  OpenStreams,
  type SherpaAudio,
  type SherpaVoice,
  toFloats,
  type VoiceDetector,
} from "./sherpa-module.ts";
import type { SherpaJob, SherpaOutcome } from "./sherpa-messages.ts";

/**
 * Entry of the process that runs one model of sherpa-onnx: one job in, one outcome out, in order. It needs a separate process:
 * when a model's files do not match each other, sherpa-onnx ends its process or never answers.
 */

const [, , modulePath = "", configJson = ""]: readonly string[] = process.argv;

/** Sound that the detector keeps: more than its longest span of speech. */
const detectorBufferSec = 120;

let recognizer: OfflineRecognizer | undefined;
let streams: OpenStreams | undefined;
let detector: VoiceDetector | undefined;
let voice: SherpaVoice | undefined;

const config = (): unknown => JSON.parse(configJson);

async function recognized({ pcm, sampleRateHz }: SherpaJob & { kind: "recognize" }): Promise<SherpaOutcome> {
  recognizer ??= await loadSherpa(modulePath).OfflineRecognizer.createAsync(config());
  const stream = recognizer.createStream();
  stream.acceptWaveform({ samples: toFloats(pcm), sampleRate: sampleRateHz });
  const { text, lang } = await recognizer.decodeAsync(stream);
  return {
    kind: "recognized",
    text: typeof text === "string" ? text : "",
    language: typeof lang === "string" ? lang : "",
  };
}

/** The streams of the streaming model, which is loaded first. */
function openStreams(): OpenStreams {
  const { OnlineRecognizer } = loadSherpa(modulePath);
  streams ??= new OpenStreams(new OnlineRecognizer(config()));
  return streams;
}

function detected({ pcm }: SherpaJob & { kind: "detect" }): SherpaOutcome {
  const { Vad } = loadSherpa(modulePath);
  detector ??= new Vad(config(), detectorBufferSec);
  return detectSpeech(detector, pcm);
}

/** sherpa-onnx throws for a text without any sounds of the voice. */
function nothingSpoken(error: unknown): SherpaAudio {
  if (error instanceof Error && error.message.includes("no audio"))
    return { samples: new Float32Array(0), sampleRate: 0 };
  throw error;
}

async function spoken({ text, speaker, speed }: SherpaJob & { kind: "speak" }): Promise<SherpaOutcome> {
  voice ??= await loadSherpa(modulePath).OfflineTts.createAsync(config());
  const { samples, sampleRate } = await voice
    .generateAsync({ text, sid: speaker, speed })
    .catch(nothingSpoken);
  const pcm = Int16Array.from(samples, (value) => Math.round(Math.max(-1, Math.min(1, value)) * 32_767));
  return { kind: "spoken", audio: { pcm, sampleRateHz: sampleRate } };
}

function outcomeOf(job: SherpaJob): SherpaOutcome | Promise<SherpaOutcome> {
  switch (job.kind) {
    case "recognize":
      return recognized(job);
    case "stream":
      return openStreams().hear(job);
    case "forget":
      return streams?.forget(job.stream) ?? { kind: "forgotten" };
    case "detect":
      return detected(job);
    case "speak":
      return spoken(job);
  }
}

async function run(job: SherpaJob): Promise<SherpaOutcome> {
  try {
    return await outcomeOf(job);
  } catch (error) {
    return { kind: "failed", detail: errorMessage(error) };
  }
}

process.on("message", (job: SherpaJob) => void run(job).then((outcome) => process.send?.(outcome)));
// The process that started this one has ended.
process.on("disconnect", () => process.exit());
