import { LRUCache } from "lru-cache";
import type { CatalogueKind } from "../store/catalogue-kinds.ts";
import type { CatalogueRow } from "../store/store.ts";

/** The number of rows whose engines are kept. */
const rememberedEngines = 200;

/** Engines by their catalogue row. A changed row gets a new engine. Null when a row's engine is not available. */
export class EngineMemory<Kind extends CatalogueKind, Engine extends { close(): Promise<void> }> {
  readonly #engines = new LRUCache<string, { engine: Engine | null }>({
    max: rememberedEngines,
    dispose({ engine }, _key, reason) {
      if (reason === "evict") void engine?.close();
    },
  });

  of(row: CatalogueRow<Kind>, make: () => Engine | null): Engine | null {
    const key = JSON.stringify([row.id, row.body, row.engine]);
    const known = this.#engines.get(key);
    if (known) return known.engine;
    const engine = make();
    this.#engines.set(key, { engine });
    return engine;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#engines.values()].flatMap(({ engine }) => engine?.close() ?? []));
    this.#engines.clear();
  }
}
