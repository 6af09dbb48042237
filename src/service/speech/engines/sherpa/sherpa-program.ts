import * as z from "zod";
import { modelLocaleSchema, timeoutSecSchema } from "../../speech-engine.ts";
import { existsSync } from "node:fs";
import { startProcess } from "../../workers/pool-worker.ts";
import type { SherpaArguments, SherpaJob, SherpaOutcome } from "./sherpa-messages.ts";
import { WorkerPool } from "../../workers/worker-pool.ts";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

/** The settings of a model of sherpa-onnx. */
export const sherpaSettingsSchema = z.object({
  type: z.literal("sherpa-onnx"),
  /** sherpa-onnx's own configuration, passed on unchanged. It contains the paths of the model's files. */
  config: z.record(z.string(), z.unknown()),
  /** For recognition: whether the model recognizes speech while it is spoken (`OnlineRecognizer` instead of `OfflineRecognizer`). */
  streaming: z.boolean().default(false),
  speaker: z.int().min(0).default(0),
  speed: z.number().positive().max(4).default(1),
  /** Also applies to the first request, which loads the model. */
  timeout_sec: timeoutSecSchema,
  locale: modelLocaleSchema,
});

/** How to run a model of sherpa-onnx. */
export type SherpaSettings = z.infer<typeof sherpaSettingsSchema>;

/** A missing file or folder that a configuration names; `field` is such as `modelConfig.tokens`. */
interface MissingFile {
  field: string;
  path: string;
}

/** A string that must be the name of a file or folder: an absolute path, or a name with the extension of a model file. */
const pathPattern = /^\/|\.(?:onnx|txt|bin|fst|far)$/;

/** The files of an engine's configuration that do not exist. Some fields contain several, separated by commas. */
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

/** The paths of sherpa-onnx and of the script that runs it. */
export interface SherpaProgram {
  /** The URL of the built script `sherpa-process`, which Node runs. */
  processUrl: URL;
  /** The result of `findSherpa`. */
  modulePath: string;
}

/** Runs the jobs of one model in its own process, which starts with the first job, and again after it ended. */
export function modelProcess(
  { processUrl, modulePath }: SherpaProgram,
  { config, timeout_sec }: Pick<SherpaSettings, "config" | "timeout_sec">,
): WorkerPool<SherpaJob, SherpaOutcome> {
  const args: SherpaArguments = [modulePath, JSON.stringify(config)];
  return new WorkerPool({
    start: () => startProcess(processUrl, args),
    size: 1,
    jobTimeoutMs: timeout_sec * 1_000,
  });
}

const packageName = "sherpa-onnx-node";

/**
 * The script of sherpa-onnx's package: from the folder where it was installed, else from next to this program. Null when it is
 * not installed.
 */
export function findSherpa(folder?: string): string | null {
  const from = folder === undefined ? import.meta.url : join(resolve(folder), "package.json");
  try {
    return createRequire(from).resolve(packageName);
  } catch {
    return null;
  }
}
