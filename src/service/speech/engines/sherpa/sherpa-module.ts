import { createRequire } from "node:module";
import type { SherpaOutcome, StreamJob } from "./sherpa-messages.ts";

/** Samples in the format of sherpa-onnx: fractions of full scale. */
export interface SherpaAudio {
  samples: Float32Array;
  sampleRate: number;
}

/** What was recognized. Its fields depend on the model. */
interface SherpaResult {
  text?: unknown;
  lang?: unknown;
}

interface OfflineStream {
  acceptWaveform(audio: SherpaAudio): void;
}

/** A model that recognizes whole recordings. */
export interface OfflineRecognizer {
  createStream(): OfflineStream;
  decodeAsync(stream: OfflineStream): Promise<SherpaResult>;
}

/** Speech that a streaming model recognizes. */
interface OnlineStream extends OfflineStream {
  inputFinished(): void;
}

/** A model that recognizes speech while it is spoken. It has no asynchronous calls. */
interface OnlineRecognizer {
  createStream(): OnlineStream;
  isReady(stream: OnlineStream): boolean;
  decode(stream: OnlineStream): void;
  getResult(stream: OnlineStream): SherpaResult;
}

/** A model that finds speech in sound. */
export interface VoiceDetector {
  acceptWaveform(samples: Float32Array): void;
  isEmpty(): boolean;
  /** The first span that has not been removed. Without `shareMemory`, the samples are a copy. */
  front(shareMemory: boolean): { start: number; samples: Float32Array };
  pop(): void;
  flush(): void;
  reset(): void;
}

/** A voice. */
export interface SherpaVoice {
  generateAsync(request: { text: string; sid: number; speed: number }): Promise<SherpaAudio>;
}

/**
 * The used part of sherpa-onnx-node: asynchronous calls where there are any, because the others end the process instead of
 * throwing.
 */
interface SherpaModule {
  OfflineRecognizer: { createAsync(config: unknown): Promise<OfflineRecognizer> };
  OnlineRecognizer: new (config: unknown) => OnlineRecognizer;
  OfflineTts: { createAsync(config: unknown): Promise<SherpaVoice> };
  Vad: new (config: unknown, bufferSec: number) => VoiceDetector;
}

/** Loads sherpa-onnx-node by the path of its script. */
export function loadSherpa(modulePath: string): SherpaModule {
  // eslint-disable-next-line no-restricted-syntax -- the package has no types
  return createRequire(modulePath)(modulePath) as SherpaModule;
}

/** PCM in the format of sherpa-onnx. */
export const toFloats = (pcm: Int16Array): Float32Array =>
  Float32Array.from(pcm, (sample) => sample / 32_768);

/** Silero processes sound at 16 kHz in windows of this many samples. */
const windowSamples = 512;

/** Finds the spans of speech in a whole recording at 16 kHz. */
export function detectSpeech(detector: VoiceDetector, pcm: Int16Array): SherpaOutcome {
  detector.reset();
  const spans: [number, number][] = [];
  const collect = (): void => {
    while (!detector.isEmpty()) {
      const { start, samples } = detector.front(false);
      spans.push([start, start + samples.length]);
      detector.pop();
    }
  };
  // The last window is filled up with silence, or the last word could be lost.
  const samples = new Float32Array(Math.ceil(pcm.length / windowSamples) * windowSamples);
  samples.set(toFloats(pcm));
  for (let at = 0; at < samples.length; at += windowSamples) {
    detector.acceptWaveform(samples.subarray(at, at + windowSamples));
    collect();
  }
  detector.flush();
  collect();
  return { kind: "detected", spans };
}

/** Streaming models give out the last words only when more sound follows. This much silence is enough. */
const closingSilenceSec = 0.6;

/** The streams of one streaming model, by their numbers. */
export class OpenStreams {
  readonly #recognizer: OnlineRecognizer;
  readonly #streams = new Map<number, OnlineStream>();

  constructor(recognizer: OnlineRecognizer) {
    this.#recognizer = recognizer;
  }

  /** Processes more speech of a stream, and returns everything that was recognized of it so far. */
  hear({ stream: id, opens, ends, pcm, sampleRateHz }: StreamJob): SherpaOutcome {
    const stream = opens ? this.#recognizer.createStream() : this.#streams.get(id);
    if (!stream)
      return { kind: "failed", detail: "The process that had the beginning of this speech has ended." };
    this.#streams.set(id, stream);
    if (pcm.length > 0) stream.acceptWaveform({ samples: toFloats(pcm), sampleRate: sampleRateHz });
    if (ends) {
      const silence = new Float32Array(Math.round(closingSilenceSec * sampleRateHz));
      stream.acceptWaveform({ samples: silence, sampleRate: sampleRateHz });
      stream.inputFinished();
      this.#streams.delete(id);
    }
    while (this.#recognizer.isReady(stream)) this.#recognizer.decode(stream);
    const { text } = this.#recognizer.getResult(stream);
    return { kind: "recognized", text: typeof text === "string" ? text : "", language: "" };
  }

  forget(id: number): SherpaOutcome {
    this.#streams.delete(id);
    return { kind: "forgotten" };
  }
}
