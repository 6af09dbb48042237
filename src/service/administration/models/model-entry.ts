import { type CatalogueScope, ownerOf, removeCatalogueEntry } from "../catalogue/catalogue-entries.ts";
import { putCatalogueEntry } from "../catalogue/catalogue-put.ts";
import { AdministrationError } from "../administration-error.ts";
import type { CatalogueRow } from "../../store/store.ts";
import type { EngineMachine } from "../check-place.ts";
import { listModelRecords, modelFolder, type ModelRecord, modelsFolder } from "./model-record.ts";
import { rm } from "node:fs/promises";

/** The kinds of entries that a model can be used by. */
export type ModelEntryKind = "stt_type" | "tts_type";

/** The kind of a model's entry; null for voice activity, which needs none. */
export function entryKindOf({ kind }: Pick<ModelRecord, "kind">): ModelEntryKind | null {
  if (kind === "voice") return "tts_type";
  return kind === "voice activity" ? null : "stt_type";
}

function fieldsOf(record: ModelRecord): Record<string, unknown> {
  const { name, kind, languages, config } = record;
  const engine = { type: "sherpa-onnx", config };
  const [language] = languages;
  if (kind === "voice")
    return {
      name,
      service: "onpremise",
      streamable: false,
      engine,
      ...(language !== undefined && { voice_extra_data: { language: languages } }),
    };
  return {
    name,
    service: "onpremise",
    engine: {
      ...engine,
      streaming: kind === "streaming recognizer",
      ...(languages.length === 1 && { locale: language }),
    },
  };
}

/**
 * Adds or replaces the catalogue entry of an installed model. Resolves with its kind, its id and notes on what is still missing;
 * null for a model that needs no entry. Throws a Fault, and AdministrationError `shared_entry`.
 */
export async function putModelEntry(
  scope: CatalogueScope & { machine: EngineMachine; nowMs: number },
  record: ModelRecord,
): Promise<{ kind: ModelEntryKind; id: string; notes: string[] } | null> {
  const kind = entryKindOf(record);
  return kind && { kind, ...(await putCatalogueEntry(scope, kind, fieldsOf(record))) };
}

const usesFolder = ({ engine }: Pick<CatalogueRow<ModelEntryKind>, "engine">, folder: string): boolean =>
  JSON.stringify(engine ?? {}).includes(JSON.stringify(`${folder}/`).slice(1, -1));

/**
 * Throws AdministrationError `entry_exists` if the operator has an entry of this name that uses other files than the model in
 * `folder`: its installation would replace that entry.
 */
export async function refuseOtherEntry(scope: CatalogueScope, name: string, folder: string): Promise<void> {
  for (const kind of ["stt_type", "tts_type"] as const) {
    const row = await scope.store.catalogue.row(kind, ownerOf(scope), name);
    if (row !== null && !usesFolder(row, folder))
      throw new AdministrationError(
        "entry_exists",
        `There is already the ${kind} "${name}", which does not use this model.`,
      );
  }
}

/**
 * Removes the entry of a model. Resolves with false when there is none, or when an entry of that name uses other files. Throws
 * AdministrationError `shared_entry`.
 */
export async function removeModelEntry(
  scope: CatalogueScope,
  record: ModelRecord,
  folder: string,
): Promise<boolean> {
  const kind = entryKindOf(record);
  if (kind === null) return false;
  const row = await scope.store.catalogue.row(kind, ownerOf(scope), record.name);
  if (row === null || !usesFolder(row, folder)) return false;
  await removeCatalogueEntry(scope, kind, row.id);
  return true;
}

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
