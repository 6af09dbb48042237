import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

/** Samples as sherpa-onnx has them: fractions of full scale. */
interface SherpaAudio {
  samples: Float32Array;
  sampleRate: number;
}

interface SherpaStream {
  acceptWaveform(audio: SherpaAudio): void;
}

/** An offline recognizer of sherpa-onnx. */
export interface SherpaRecognizer {
  createStream(): SherpaStream;
  decodeAsync(stream: SherpaStream): Promise<{ text?: unknown; lang?: unknown }>;
}

/** An offline voice of sherpa-onnx. */
export interface SherpaVoice {
  generateAsync(request: { text: string; sid: number; speed: number }): Promise<SherpaAudio>;
}

/** The part of sherpa-onnx-node that is used. Its own threads do the work. */
export interface SherpaModule {
  OfflineRecognizer: { createAsync(config: object): Promise<SherpaRecognizer> };
  OfflineTts: { createAsync(config: object): Promise<SherpaVoice> };
}

const packageName = "sherpa-onnx-node";

/** Loads sherpa-onnx from the folder in which it was installed, else from beside this program. Null where it is not there. */
export function loadSherpa(folder?: string): SherpaModule | null {
  const from = folder === undefined ? import.meta.url : join(resolve(folder), "package.json");
  try {
    return createRequire(from)(packageName) as SherpaModule;
  } catch {
    return null;
  }
}

/** Files that a configuration names: sherpa-onnx ends the whole process when one of them is missing, so they are looked for first. */
export function hasItsFiles(config: unknown): boolean {
  if (typeof config === "string") return !/\.(?:onnx|txt|bin|fst|far)$/.test(config) || existsSync(config);
  if (typeof config !== "object" || config === null) return true;
  return Object.values(config).every(hasItsFiles);
}
