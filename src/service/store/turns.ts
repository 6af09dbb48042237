/** Works of the same name, one after the other, within this process. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs the work when every earlier one of the name is over, however it ended. */
  take<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const turn = (this.#last.get(name) ?? Promise.resolve()).then(work, work);
    this.#last.set(name, turn);
    const forget = (): void => {
      if (this.#last.get(name) === turn) this.#last.delete(name);
    };
    turn.then(forget, forget);
    return turn;
  }
}
