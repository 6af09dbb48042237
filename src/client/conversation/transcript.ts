import type { TranscriptEntry } from "./transcript-entry.ts";

/** The conversation as the visitor sees it. Entries and list are replaced, never mutated. */
export class Transcript {
  #entries: readonly TranscriptEntry[] = [];
  #lastId = 0;
  readonly #onChange: (entry: TranscriptEntry) => void;

  constructor(onChange: (entry: TranscriptEntry) => void) {
    this.#onChange = onChange;
  }

  get entries(): readonly TranscriptEntry[] {
    return this.#entries;
  }

  get(id: string): TranscriptEntry | undefined {
    return this.#entries.find((entry) => entry.id === id);
  }

  add(
    role: TranscriptEntry["role"],
    text: string,
    status: TranscriptEntry["status"] = "final",
  ): TranscriptEntry {
    const entry = { id: `m${++this.#lastId}`, role, text, status, at: Date.now() };
    this.#entries = [...this.#entries, entry];
    this.#onChange(entry);
    return entry;
  }

  /** Changes an entry; null if it does not exist. A new status without a fault removes the old fault. */
  update(
    id: string,
    change: Partial<
      Pick<
        TranscriptEntry,
        | "text"
        | "status"
        | "fault"
        | "unspoken"
        | "rest"
        | "content"
        | "found"
        | "sources"
        | "attachments"
        | "name"
        | "note"
        | "line"
      >
    >,
  ): TranscriptEntry | null {
    const entry = this.get(id);
    if (!entry) return null;
    const { fault, ...rest } = entry;
    const changed = { ...rest, ...(fault && !change.status && { fault }), ...change };
    this.#entries = this.#entries.map((other) => (other === entry ? changed : other));
    this.#onChange(changed);
    return changed;
  }

  /** Removes an entry, which listeners get once more with the status `discarded`. */
  discard(id: string): void {
    const entry = this.get(id);
    if (!entry) return;
    this.#entries = this.#entries.filter((other) => other !== entry);
    this.#onChange({ ...entry, status: "discarded" });
  }

  /** Replaces all entries. Listeners get the last one. */
  restore(entries: readonly TranscriptEntry[]): void {
    this.#entries = entries;
    this.#lastId = Math.max(0, ...entries.map(({ id }) => Number(id.slice(1)) || 0));
    const last = entries.at(-1);
    if (last) this.#onChange(last);
  }

  clear(): void {
    this.#entries = [];
  }
}
