/** A timer that is later than this was held up by this process itself, in ms. */
const stallMs = 20;

/** What not all platforms of the relay have. */
const platform: { setImmediate?: (then: () => void) => unknown } = globalThis;

/** Runs something after the next input and output. A timer is the nearest thing to it. */
const afterInput = platform.setImmediate ?? setTimeout;

/**
 * How long to wait for somebody else's answer. A busy process reads answers late, which is not the other side's fault: a
 * limit that ends late waits once more for as long as it was late, and answers that have arrived are read before it is over.
 *
 * It does not keep the process running; what it limits does.
 */
export class TimeLimit {
  readonly #onOver: () => void;
  #timer: ReturnType<typeof setTimeout>;
  #isEnded = false;

  constructor(limitMs: number, onOver: () => void) {
    this.#onOver = onOver;
    const startedAtMs = performance.now();
    this.#timer = this.#after(limitMs, () => {
      const lateMs = Math.min(limitMs, performance.now() - startedAtMs - limitMs);
      if (lateMs < stallMs) this.#lookOnceMore();
      else this.#timer = this.#after(lateMs, () => this.#lookOnceMore());
    });
  }

  /** The answer is there, or nobody waits for it any more. */
  end(): void {
    this.#isEnded = true;
    clearTimeout(this.#timer);
  }

  #after(ms: number, then: () => void): ReturnType<typeof setTimeout> {
    const timer = setTimeout(then, ms);
    // Some platforms have numbers for timers.
    const held: { unref?: () => unknown } = timer;
    held.unref?.();
    return timer;
  }

  #lookOnceMore(): void {
    afterInput(() => {
      if (!this.#isEnded) this.#onOver();
    });
  }
}

/** The answer, or, when it does not come in time, what `late` returns or throws. */
export async function within<Answer>(
  limitMs: number,
  answer: Promise<Answer>,
  late: () => Answer,
): Promise<Answer> {
  let limit: TimeLimit | undefined;
  const over = new Promise<void>((resolve) => (limit = new TimeLimit(limitMs, resolve)));
  try {
    return await Promise.race([answer, over.then(late)]);
  } finally {
    limit?.end();
  }
}

/** A signal that is aborted when a time is over, as `AbortSignal.timeout` has it. */
export function limitSignal(limitMs: number): AbortSignal {
  const abort = new AbortController();
  const reason = "The operation was aborted due to timeout";
  new TimeLimit(limitMs, () => abort.abort(new DOMException(reason, "TimeoutError")));
  return abort.signal;
}
