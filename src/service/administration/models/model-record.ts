import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";

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
