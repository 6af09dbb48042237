import { rm } from "node:fs/promises";
import { AdministrationError } from "../administration-error.ts";
import type { CatalogueScope } from "../catalogue-scope.ts";
import { removeModelEntry } from "./model-entry.ts";
import { modelFolder, modelsFolder } from "./model-folders.ts";
import { listModelRecords } from "./model-record.ts";

/**
 * Removes an installed model and its catalogue entry. Resolves with whether there was an entry. Throws AdministrationError
 * `model_unknown` and `shared_entry`.
 */
export async function removeModel(scope: CatalogueScope, dataFolder: string, name: string): Promise<boolean> {
  const records = await listModelRecords(modelsFolder(dataFolder));
  const record = records.find((one) => one.name === name);
  if (!record) throw new AdministrationError("model_unknown", `No model "${name}" is installed.`);
  const folder = modelFolder(dataFolder, record.name);
  const hadEntry = await removeModelEntry(scope, record, folder);
  await rm(folder, { recursive: true, force: true });
  return hadEntry;
}
