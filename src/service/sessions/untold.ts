/** The sessions that the service has ended, and whose clients do not know it yet. */
export class Untold {
  readonly #sessions = new Set<string>();
  #handleEmpty: () => void = () => undefined;

  add(sessionId: string): void {
    this.#sessions.add(sessionId);
  }

  /** The client of the session knows. */
  delete(sessionId: string): void {
    if (this.#sessions.delete(sessionId) && this.#sessions.size === 0) this.#handleEmpty();
  }

  /** Resolves when all clients know, or after the time limit. */
  async untilEmpty(limitMs: number): Promise<void> {
    if (this.#sessions.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#handleEmpty = resolve;
      timer = setTimeout(resolve, limitMs);
    });
    clearTimeout(timer);
  }
}
