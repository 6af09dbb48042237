/** Runs work of the same name one after another, within this process. */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs the work when all earlier work of that name has ended, successfully or not. */
  run<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const running = (this.#last.get(name) ?? Promise.resolve()).then(work, work);
    this.#last.set(name, running);
    const forget = (): void => {
      if (this.#last.get(name) === running) this.#last.delete(name);
    };
    running.then(forget, forget);
    return running;
  }
}
