/** Listeners by event name. A listener that throws harms neither the emitter nor the other listeners. */
export class TypedEvents<Events extends object> {
  readonly #listeners = new Map<keyof Events, Set<(detail: never) => void>>();

  /** Adds a listener; the function returned removes it. */
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
        // Reported as the page's own uncaught error, which it is.
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
