import type { ReactiveController, ReactiveControllerHost } from "lit";
import { ApiError } from "./api-error.ts";

/** Waits between attempts to reach a server that does not answer, in ms. */
const retryDelaysMs = [1_000, 2_000, 4_000, 8_000, 15_000];

/** How many times a server that does not answer is asked again. */
export const mostRetries = retryDelaysMs.length;

/** Data of a page: loaded with the page, and again on demand. Old data stays while new data is loaded or the server does not answer. */
export class Loaded<T> implements ReactiveController {
  value: T | undefined;
  error: ApiError | null = null;
  isLoading = false;
  /** The number of the retry that waits or runs; 0: none. */
  retry = 0;
  readonly #host: ReactiveControllerHost;
  readonly #load: (signal: AbortSignal) => Promise<T>;
  #run = new AbortController();

  constructor(host: ReactiveControllerHost, load: (signal: AbortSignal) => Promise<T>) {
    this.#host = host;
    this.#load = load;
    host.addController(this);
  }

  hostDisconnected(): void {
    this.#run.abort();
    this.isLoading = false;
  }

  /** Replaces the data, after the page itself has changed it. */
  set(value: T): void {
    this.value = value;
    this.#host.requestUpdate();
  }

  /** Loads the data. A later call replaces an earlier one. Failures are in `error`. */
  async load(): Promise<void> {
    this.#run.abort();
    const run = new AbortController();
    this.#run = run;
    this.isLoading = true;
    this.retry = 0;
    this.#host.requestUpdate();
    await this.#attempts(run.signal);
    if (run.signal.aborted) return;
    this.isLoading = false;
    this.retry = 0;
    this.#host.requestUpdate();
  }

  async #attempts(signal: AbortSignal): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        const value = await this.#load(signal);
        if (signal.aborted) return;
        this.value = value;
        this.error = null;
        return;
      } catch (thrown) {
        if (signal.aborted) return;
        if (!(thrown instanceof ApiError)) throw thrown;
        this.error = thrown;
        const delay = thrown.code === "network" ? retryDelaysMs[attempt] : undefined;
        if (delay === undefined) return;
        this.retry = attempt + 1;
        this.#host.requestUpdate();
        if (!(await goesOnAfter(delay, signal))) return;
      }
    }
  }
}

/** Waits for a time, or until the browser is online again. Returns false at once when the signal is aborted. */
function goesOnAfter(ms: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      removeEventListener("online", end);
      resolve(!signal.aborted);
    };
    const timer = setTimeout(end, ms);
    addEventListener("online", end);
    signal.addEventListener("abort", end, { once: true });
  });
}
