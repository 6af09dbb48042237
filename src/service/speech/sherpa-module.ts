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

/** A file or folder that a configuration names and that is not there; `field` such as `modelConfig.tokens`. */
export interface MissingFile {
  field: string;
  path: string;
}

/** What can only be a file or a folder: an absolute path, or a name that ends like the files of models. */
const pathPattern = /^\/|\.(?:onnx|txt|bin|fst|far)$/;

/**
 * Files that a configuration names and that are not there: sherpa-onnx ends the whole process when one of them is missing,
 * so they are looked for first. Some of its fields hold several, parted by commas.
 */
export function missingFiles(config: unknown, field = ""): MissingFile[] {
  if (typeof config === "string") {
    if (!pathPattern.test(config) || existsSync(config)) return [];
    const paths = config.split(",");
    return paths.filter((path) => !existsSync(path)).map((path) => ({ field, path }));
  }
  if (typeof config !== "object" || config === null) return [];
  return Object.entries(config).flatMap(([name, value]) =>
    missingFiles(value, field === "" ? name : `${field}.${name}`),
  );
}
