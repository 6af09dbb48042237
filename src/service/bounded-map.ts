/**
 * A map that forgets what was added first when it holds too much: a tenth at once, because a map whose first entries leave
 * one by one is searched from its beginning each time.
 */
export class BoundedMap<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #limit: number;

  /** `limit`: so many entries are kept. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  set(key: Key, value: Value): void {
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#limit) return;
    const kept = Math.floor(this.#limit * 0.9);
    for (const first of this.#entries.keys()) {
      if (this.#entries.size <= kept) return;
      this.#entries.delete(first);
    }
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }
}
