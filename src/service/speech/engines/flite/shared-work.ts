import { abortReason } from "../../../faults/error-message.ts";

interface Running<Result> {
  promise: Promise<Result>;
  waiting: number;
  abort: AbortController;
}

/** Work that several callers can wait for. It is aborted when no caller waits any more. */
export class SharedWork<Result> {
  readonly #running = new Map<string, Running<Result>>();

  /** Whether work of this key is running. */
  has(key: string): boolean {
    return this.#running.has(key);
  }

  /** Joins the running work of this key, or starts it. Rejects with the signal's reason when the signal is aborted. */
  async run(
    key: string,
    begin: (signal: AbortSignal) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    signal?.throwIfAborted();
    const work = this.#running.get(key) ?? this.#begin(key, begin);
    work.waiting++;
    const leave = this.#leaving(key, work);
    if (!signal) return work.promise.finally(leave);
    let onAbort = (): void => undefined;
    const aborted = new Promise<never>((_, reject) => {
      onAbort = () => reject(abortReason(signal));
      signal.addEventListener("abort", onAbort);
    });
    return Promise.race([work.promise, aborted]).finally(() => {
      signal.removeEventListener("abort", onAbort);
      leave();
    });
  }

  #begin(key: string, begin: (signal: AbortSignal) => Promise<Result>): Running<Result> {
    const abort = new AbortController();
    const promise = begin(abort.signal);
    const work = { promise, waiting: 0, abort };
    this.#running.set(key, work);
    const end = (): void => this.#end(key, work);
    promise.then(end, end);
    return work;
  }

  #leaving(key: string, work: Running<Result>): () => void {
    return () => {
      work.waiting--;
      if (work.waiting > 0 || this.#running.get(key) !== work) return;
      this.#end(key, work);
      work.abort.abort(new Error("Nobody waits for this any more."));
    };
  }

  #end(key: string, work: Running<Result>): void {
    if (this.#running.get(key) === work) this.#running.delete(key);
  }
}
