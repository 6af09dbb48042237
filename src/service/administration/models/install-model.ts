import { createHash, randomUUID } from "node:crypto";
import { copyFile, mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { AdministrationError } from "../administration-error.ts";
import { downloadFile, type DownloadProgress, sha256OfFile } from "./download-file.ts";
import { isPublishedSum } from "./known-models.ts";
import {
  modelFolder,
  type ModelRecord,
  modelsFolder,
  readModelRecord,
  writeModelRecord,
} from "./model-record.ts";
import type { ModelSource } from "./model-source.ts";
import { recognizeModel } from "./recognize-model.ts";
import { formatOf, unpackArchive } from "./unpack-archive.ts";

/** The largest file that is downloaded. */
const downloadMaxBytes = 4 * 1024 ** 3;

/** The dependencies of an installation, and the receiver of its progress. */
export interface InstallationParts {
  dataFolder: string;
  fetch: typeof fetch;
  onProgress(progress: DownloadProgress): void;
  /** The connection was lost; the download goes on after `waitMs`. */
  onInterrupted(reason: string, waitMs: number): void;
  /** The file is complete and its sum is known; it is unpacked next. */
  onChecked(sum: { sha256: string; isExpected: boolean }): void;
  nowMs: number;
  signal?: AbortSignal | undefined;
}

/** The complete file of a model. A download is kept until it is unpacked, so that it can be continued. */
async function completeFile(
  { from }: ModelSource,
  parts: InstallationParts,
): Promise<{ file: string; isOwn: boolean }> {
  if ("file" in from) return { file: from.file, isOwn: false };
  const { dataFolder, ...download } = parts;
  const folder = join(modelsFolder(dataFolder), ".downloads");
  await mkdir(folder, { recursive: true });
  const key = createHash("sha256").update(from.url).digest("hex").slice(0, 16);
  const file = join(folder, `${key}-${basename(new URL(from.url).pathname).slice(-80)}`);
  await downloadFile({ ...download, url: from.url, to: file, maxBytes: downloadMaxBytes });
  return { file, isOwn: true };
}

async function checkSum(
  { sha256: expected, name }: ModelSource,
  file: string,
  isOwn: boolean,
): Promise<string> {
  const sha256 = await sha256OfFile(file);
  if (expected === null || expected === sha256) return sha256;
  if (isOwn) await rm(file, { force: true });
  throw new AdministrationError(
    "checksum_mismatch",
    `The file of ${name} has the SHA-256 ${sha256}, but ${expected} was expected; it is not installed. The publisher or somebody else may have replaced the file: compare it with the published sum.`,
  );
}

/** Puts the files of a model into a folder. */
async function placeFiles({ from, name }: ModelSource, file: string, folder: string): Promise<void> {
  const format = await formatOf(file);
  if (format !== "single file") return unpackArchive(file, folder, format);
  const published = "url" in from ? basename(new URL(from.url).pathname) : basename(from.file);
  if (!published.endsWith(".onnx"))
    throw new AdministrationError(
      "archive_refused",
      `The file of ${name} is not a tar.bz2, zip or onnx file.`,
    );
  await copyFile(file, join(folder, published.replace(/[^A-Za-z0-9._-]/g, "_")));
}

/** Changes the folder in all paths of a configuration. */
function moved(value: unknown, from: string, to: string): unknown {
  if (typeof value === "string") return value.replaceAll(`${from}/`, `${to}/`);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, moved(inner, from, to)]));
}

async function movedConfig(folder: string, to: string) {
  const recognized = await recognizeModel(folder);
  const config = Object.fromEntries(
    Object.entries(recognized.config).map(([key, value]) => [key, moved(value, folder, to)]),
  );
  return { ...recognized, config };
}

const passingPrefix = ".installing-";
const abandonedMs = 3_600_000;

/** A hidden folder beside the models, for what is only there during an installation. */
const passingFolder = (dataFolder: string): string =>
  join(modelsFolder(dataFolder), `${passingPrefix}${randomUUID()}`);

/** Removes what installations left behind that were killed. */
async function removeAbandoned(folder: string, nowMs: number): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((one) => one.startsWith(passingPrefix))) {
    const at = join(folder, name);
    const changedMs = (await stat(at).catch(() => null))?.mtimeMs ?? nowMs;
    if (nowMs - changedMs > abandonedMs) await rm(at, { recursive: true, force: true });
  }
}

/** Puts the new folder in the place of the old one, if there is an old one. */
async function replaceFolder(folder: string, place: string, old: string): Promise<void> {
  const isReplaced = (await stat(place).catch(() => null)) !== null;
  if (isReplaced) await rename(place, old);
  await rename(folder, place);
  await rm(old, { recursive: true, force: true });
}

/**
 * Installs a model in the data folder: downloads it, checks its sum, unpacks it and recognizes its kind. A model of the same name
 * is replaced if `replace` is true. Rejects with AdministrationError: `model_exists`, `download_failed`, `checksum_mismatch`,
 * `archive_refused`, `model_unrecognized`. Nothing incomplete stays, except for a download, which a later call continues.
 */
export async function installModel(
  source: ModelSource,
  parts: InstallationParts,
  replace = false,
): Promise<ModelRecord> {
  const place = modelFolder(parts.dataFolder, source.name);
  if (!replace && (await readModelRecord(place)) !== null)
    throw new AdministrationError("model_exists", `The model ${source.name} is installed already.`);
  await removeAbandoned(modelsFolder(parts.dataFolder), parts.nowMs);
  const { file, isOwn } = await completeFile(source, parts);
  const sha256 = await checkSum(source, file, isOwn);
  parts.onChecked({ sha256, isExpected: source.sha256 !== null || isPublishedSum(sha256) });
  const folder = passingFolder(parts.dataFolder);
  await mkdir(folder, { recursive: true });
  try {
    await placeFiles(source, file, folder);
    const record: ModelRecord = {
      name: source.name,
      languages: [...source.languages],
      source: "url" in source.from ? source.from.url : source.from.file,
      sha256,
      bytes: (await stat(file)).size,
      ...(await movedConfig(folder, place)),
      installedAt: new Date(parts.nowMs).toISOString(),
    };
    await writeModelRecord(folder, record);
    await replaceFolder(folder, place, passingFolder(parts.dataFolder));
    return record;
  } finally {
    await rm(folder, { recursive: true, force: true });
    if (isOwn) await rm(file, { force: true });
  }
}
