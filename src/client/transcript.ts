import type { TranscriptEntry } from "./avatar-session.ts";

/** The conversation as the visitor sees it. Entries and list are replaced, never changed. */
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

  /** Changes an entry; null where it does not exist. */
  update(id: string, change: Partial<Pick<TranscriptEntry, "text" | "status">>): TranscriptEntry | null {
    const entry = this.get(id);
    if (!entry) return null;
    const changed = { ...entry, ...change };
    this.#entries = this.#entries.map((other) => (other === entry ? changed : other));
    this.#onChange(changed);
    return changed;
  }

  clear(): void {
    this.#entries = [];
  }
}
