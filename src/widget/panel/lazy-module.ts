/**
 * A module that the first frame does without. `get()` answers it when it is there and fetches it when it is not; a
 * failed fetch is tried again at the next `get()`.
 */
export class Later<Module> {
  #module: Module | null = null;
  #promise: Promise<Module | null> | null = null;
  readonly #fetch: () => Promise<Module>;
  readonly #arrived: (module: Module) => void;

  constructor(fetch: () => Promise<Module>, arrived: (module: Module) => void) {
    this.#fetch = fetch;
    this.#arrived = arrived;
  }

  /** The module, if it is there. */
  get value(): Module | null {
    return this.#module;
  }

  get(): Module | null {
    if (!this.#module) void this.load();
    return this.#module;
  }

  load(): Promise<Module | null> {
    this.#promise ??= this.#fetch().then(
      (module) => {
        this.#module = module;
        this.#arrived(module);
        return module;
      },
      () => {
        this.#promise = null;
        return null;
      },
    );
    return this.#promise;
  }
}
