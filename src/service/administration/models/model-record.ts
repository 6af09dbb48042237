import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { readdirSync, statSync } from "node:fs";

const fileName = "model.json";

/** The record of an installed model, which is stored beside its files. */
const modelRecordSchema = z.object({
  name: z.string(),
  kind: z.enum(["streaming recognizer", "recognizer", "voice", "voice activity"]),
  family: z.string(),
  languages: z.array(z.string()),
  /** Where it came from: an address or a file. */
  source: z.string(),
  sha256: z.string(),
  bytes: z.number(),
  config: z.record(z.string(), z.unknown()),
  installedAt: z.string(),
});
export type ModelRecord = z.infer<typeof modelRecordSchema>;

export async function writeModelRecord(folder: string, record: ModelRecord): Promise<void> {
  await writeFile(join(folder, fileName), JSON.stringify(record, null, 2));
}

/** The record in a model's folder; null if no model was installed completely. */
export async function readModelRecord(folder: string): Promise<ModelRecord | null> {
  try {
    return modelRecordSchema.parse(JSON.parse(await readFile(join(folder, fileName), "utf8")));
  } catch {
    return null;
  }
}

/** The installed models, by their names. */
export async function listModelRecords(modelsFolder: string): Promise<ModelRecord[]> {
  const names = await readdir(modelsFolder).catch(() => []);
  // Hidden folders belong to installations that are not finished.
  const shown = names.filter((name) => !name.startsWith(".")).sort();
  const records = await Promise.all(shown.map((name) => readModelRecord(join(modelsFolder, name))));
  return records.filter((record) => record !== null);
}

/** The folder of installed models: one folder for each. */
export const modelsFolder = (dataFolder: string): string => join(dataFolder, "models");

/** The folder of one installed model. */
export const modelFolder = (dataFolder: string, name: string): string => join(modelsFolder(dataFolder), name);

/** The folder in which sherpa-onnx-node is installed on request. */
export const sherpaFolder = (dataFolder: string): string => join(dataFolder, "sherpa");

const voiceActivityFile = /^silero_vad.*\.onnx$/;

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** The file of the voice activity model that was installed last; undefined if there is none. */
export function installedVoiceActivity(dataFolder: string): string | undefined {
  const folders = namesIn(modelsFolder(dataFolder))
    .filter((name) => !name.startsWith("."))
    .map((name) => modelFolder(dataFolder, name));
  const files = folders.flatMap((folder) => {
    const name = namesIn(folder).find((one) => voiceActivityFile.test(one));
    return name === undefined ? [] : [{ file: join(folder, name), atMs: statSync(folder).mtimeMs }];
  });
  return files.sort((one, other) => other.atMs - one.atMs)[0]?.file;
}
