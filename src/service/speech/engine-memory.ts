import type { CatalogueKind } from "../store/catalogue-kinds.ts";
import type { CatalogueRow } from "../store/store.ts";

/** How many rows' engines stay made. */
const rememberedEngines = 200;

/** Engines by the row that they are of: a row that was changed gets another engine. Null where a row has none. */
export class EngineMemory<Kind extends CatalogueKind, Engine extends { close(): Promise<void> }> {
  readonly #engines = new Map<string, Engine | null>();

  of(row: CatalogueRow<Kind>, make: () => Engine | null): Engine | null {
    const key = JSON.stringify([row.id, row.body, row.engine]);
    const known = this.#engines.get(key);
    if (known !== undefined) return known;
    const oldest = this.#engines.size >= rememberedEngines ? this.#engines.keys().next() : undefined;
    if (oldest && !oldest.done) {
      void this.#engines.get(oldest.value)?.close();
      this.#engines.delete(oldest.value);
    }
    const engine = make();
    this.#engines.set(key, engine);
    return engine;
  }

  async close(): Promise<void> {
    await Promise.all(
      [...this.#engines.values()].filter((engine) => engine !== null).map((engine) => engine.close()),
    );
    this.#engines.clear();
  }
}
