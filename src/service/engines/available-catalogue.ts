import { UnknownEngineError } from "./engine.ts";
import type { CatalogueKind } from "../store/entities/catalogue-store.ts";
import type { CatalogueRow, Store } from "../store/store.ts";

/** Finds the engine of a catalogue row; null when it is not available. Throws UnknownEngineError when it does not exist. */
export interface Engines {
  synthesizer: (row: CatalogueRow<"tts_type">) => unknown;
  languageModel: (row: CatalogueRow<"llm_type">) => unknown;
  interactiveAgent?: ((row: CatalogueRow<"interactive_agent_config">) => unknown) | undefined;
  recognizer?: ((row: CatalogueRow<"stt_type">) => unknown) | undefined;
}

/** The reading methods of the store's catalogue. */
export type ReadableCatalogue = Pick<Store["catalogue"], "row" | "rows" | "page" | "find" | "list">;

/** The kinds whose entries need an engine, and how it is found. */
const engineOf: {
  [Kind in CatalogueKind]?: (engines: Engines, row: CatalogueRow<Kind>) => unknown;
} = {
  tts_type: ({ synthesizer }, row) => synthesizer(row),
  llm_type: ({ languageModel }, row) => languageModel(row),
  interactive_agent_config: ({ interactiveAgent }, row) => interactiveAgent?.(row),
  stt_type: ({ recognizer }, row) => recognizer?.(row),
};

/** Whether an entry can be used. Entries without an engine always can. */
function isAvailable<Kind extends CatalogueKind>(
  engines: Engines,
  kind: Kind,
  row: CatalogueRow<Kind>,
): boolean {
  const find: ((engines: Engines, row: CatalogueRow<Kind>) => unknown) | undefined = engineOf[kind];
  return find === undefined || (find(engines, row) ?? null) !== null;
}

/** The same for lists: one entry whose engine does not exist must not make the whole list fail. */
export function isListed<Kind extends CatalogueKind>(
  engines: Engines,
  kind: Kind,
  row: CatalogueRow<Kind>,
): boolean {
  try {
    return isAvailable(engines, kind, row);
  } catch (error) {
    if (error instanceof UnknownEngineError) return false;
    throw error;
  }
}

/**
 * The catalogue with the entries that callers may name. Entries whose engine is not available are hidden. Naming an entry whose
 * engine does not exist throws UnknownEngineError; lists omit such entries.
 */
export function availableCatalogue(catalogue: ReadableCatalogue, engines: Engines): ReadableCatalogue {
  const row: ReadableCatalogue["row"] = async (kind, organizationId, identifier) => {
    const found = await catalogue.row(kind, organizationId, identifier);
    return found && isAvailable(engines, kind, found) ? found : null;
  };
  const rows: ReadableCatalogue["rows"] = async (kind, organizationId) =>
    (await catalogue.rows(kind, organizationId)).filter((found) => isListed(engines, kind, found));
  const page: ReadableCatalogue["page"] = async (kind, organizationId, request) => {
    const { items, next } = await catalogue.page(kind, organizationId, request);
    return { items: items.filter((found) => isListed(engines, kind, found)), next };
  };
  return {
    row,
    rows,
    page,
    find: async (kind, organizationId, identifier) =>
      (await row(kind, organizationId, identifier))?.body ?? null,
    list: async (kind, organizationId) => (await rows(kind, organizationId)).map(({ body }) => body),
  };
}
