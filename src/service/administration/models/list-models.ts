import { findSherpa } from "../../speech/engines/sherpa/sherpa-program.ts";
import type { EngineMachine } from "../check-place.ts";
import { sherpaName } from "./install-sherpa.ts";
import { knownModels, type ModelKind } from "./known-models.ts";
import { listModelRecords, modelsFolder } from "./model-record.ts";

/** A model that can be installed, or is. */
export interface ListedModel {
  name: string;
  kind: ModelKind | "library";
  languages: readonly string[];
  /** Null when it is not known. */
  licence: string | null;
  /** The size of the download; null when it is not known. */
  bytes: number | null;
  isInstalled: boolean;
}

/** The library, the known models, and what else is installed. */
export async function listModels(
  dataFolder: string,
  { environment }: Pick<EngineMachine, "environment">,
): Promise<ListedModel[]> {
  const records = await listModelRecords(modelsFolder(dataFolder));
  const installed = new Set(records.map(({ name }) => name));
  const library: ListedModel = {
    name: sherpaName,
    kind: "library",
    languages: [],
    licence: "Apache-2.0",
    bytes: null,
    isInstalled: findSherpa(environment["VISAVIS_SHERPA_PATH"] || undefined) !== null,
  };
  const others = records.filter(({ name }) => knownModels.every((known) => known.name !== name));
  return [
    library,
    ...knownModels.map(({ name, kind, languages, licence, bytes }) => ({
      ...{ name, kind, languages, licence, bytes },
      isInstalled: installed.has(name),
    })),
    ...others.map(({ name, kind, languages, bytes }) => ({
      ...{ name, kind, languages, licence: null, bytes },
      isInstalled: true,
    })),
  ];
}
