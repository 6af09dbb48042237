import { createRequire } from "node:module";

/** Samples in the format of sherpa-onnx: fractions of full scale. */
export interface SherpaAudio {
  samples: Float32Array;
  sampleRate: number;
}

/** What was recognized. Its fields depend on the model. */
export interface SherpaResult {
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
export interface OnlineStream extends OfflineStream {
  inputFinished(): void;
}

/** A model that recognizes speech while it is spoken. It has no asynchronous calls. */
export interface OnlineRecognizer {
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
export interface SherpaModule {
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
