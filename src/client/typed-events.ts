/** Listeners by event name. A listener that throws affects neither the emitter nor the other listeners. */
export class TypedEvents<Events extends object> {
  readonly #listeners = new Map<PropertyKey, Set<(detail: never) => void>>();

  /** Adds a listener. Returns the function that removes it. */
  on<K extends keyof Events>(type: K, listener: (detail: Events[K]) => void): () => void {
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  emit<K extends keyof Events>(type: K, detail: Events[K]): void {
    for (const listener of [...(this.#listeners.get(type) ?? [])] as ((detail: Events[K]) => void)[]) {
      try {
        listener(detail);
      } catch (error) {
        // Report it as an uncaught error of the page.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  /** Removes every listener. */
  clear(): void {
    this.#listeners.clear();
  }
}
