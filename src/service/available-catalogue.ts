import type { CatalogueKind } from "./store/catalogue-kinds.ts";
import type { CatalogueRow, Store } from "./store/store.ts";

/** Finds the engine of a catalogue row; null when it is not available. */
export interface Engines {
  synthesizer: (row: CatalogueRow<"tts_type">) => unknown;
  languageModel: (row: CatalogueRow<"llm_type">) => unknown;
  interactiveAgent?: ((row: CatalogueRow<"interactive_agent_config">) => unknown) | undefined;
  recognizer?: ((row: CatalogueRow<"stt_type">) => unknown) | undefined;
}

/** The part of the store's catalogue that reads. */
export type ReadableCatalogue = Pick<Store["catalogue"], "row" | "rows" | "find" | "list">;

/** Whether an entry of the kind can be used: entries without an engine always can. */
function isAvailable(engines: Engines, kind: CatalogueKind, row: CatalogueRow<CatalogueKind>): boolean {
  switch (kind) {
    case "tts_type":
      return engines.synthesizer(row as CatalogueRow<"tts_type">) !== null;
    case "llm_type":
      return engines.languageModel(row as CatalogueRow<"llm_type">) !== null;
    case "interactive_agent_config":
      return (engines.interactiveAgent?.(row as CatalogueRow<"interactive_agent_config">) ?? null) !== null;
    case "stt_type":
      return (engines.recognizer?.(row as CatalogueRow<"stt_type">) ?? null) !== null;
    default:
      return true;
  }
}

/** The catalogue as callers may name it: entries whose engine is not available do not exist. */
export function availableCatalogue(catalogue: ReadableCatalogue, engines: Engines): ReadableCatalogue {
  const row: ReadableCatalogue["row"] = async (kind, organizationId, identifier) => {
    const found = await catalogue.row(kind, organizationId, identifier);
    return found && isAvailable(engines, kind, found) ? found : null;
  };
  const rows: ReadableCatalogue["rows"] = async (kind, organizationId) =>
    (await catalogue.rows(kind, organizationId)).filter((found) => isAvailable(engines, kind, found));
  return {
    row,
    rows,
    find: async (kind, organizationId, identifier) =>
      (await row(kind, organizationId, identifier))?.body ?? null,
    list: async (kind, organizationId) => (await rows(kind, organizationId)).map(({ body }) => body),
  };
}
