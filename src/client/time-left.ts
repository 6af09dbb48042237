/** The numbers of seconds left at which the visitor is told. */
const tellsAtSec = [60, 15] as const;
/** How long a notice is shown, in ms. The last one stays until the end. */
const shownMs = 10_000;
/** Pause before the service is asked again about a session whose time should be over, in ms. */
const askAgainMs = 1_000;

/** No timer is longer, in ms: browsers fire timers of more than 24 days immediately. */
const longestTimerMs = 3_600_000;

/** What the time left is reported to. */
export interface TimeLeftEvents {
  /** The seconds left, when a notice is shown or changes; null when it is removed. */
  tell(leftSec: number | null): void;
  /** The time is over: the service can now say so. */
  over(): void;
}

/** Tells the visitor in time that a session's time will be used up. The service counts it and says with its answers how much is left. */
export class TimeLeft {
  readonly #events: TimeLeftEvents;
  #endsAtMs = Infinity;
  /** The smallest number of `tellsAtSec` that was told. */
  #told = Infinity;
  #hideAtMs = Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(events: TimeLeftEvents) {
    this.#events = events;
  }

  /** The service's answer; undefined: no limit. */
  take(leftSec: number | undefined): void {
    this.#endsAtMs = leftSec === undefined ? Infinity : performance.now() + leftSec * 1_000;
    this.#look();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #look(): void {
    clearTimeout(this.#timer);
    const nowMs = performance.now();
    const leftMs = this.#endsAtMs - nowMs;
    this.#tellOnce(leftMs, nowMs);
    if (nowMs >= this.#hideAtMs) this.#hide();
    const nextSec = tellsAtSec.find((sec) => leftMs > sec * 1_000) ?? 0;
    const waitMs = Math.min(Math.max(leftMs - nextSec * 1_000, askAgainMs / 10), this.#hideAtMs - nowMs);
    if (waitMs < Infinity)
      this.#timer = setTimeout(() => this.#handleTime(), Math.min(waitMs, longestTimerMs));
  }

  #handleTime(): void {
    if (performance.now() < this.#endsAtMs) {
      this.#look();
      return;
    }
    this.#timer = setTimeout(() => this.#handleTime(), askAgainMs);
    this.#events.over();
  }

  #tellOnce(leftMs: number, nowMs: number): void {
    const step = tellsAtSec.findLast((sec) => leftMs <= sec * 1_000) ?? Infinity;
    if (step === this.#told) return;
    // The limit was raised, or the answer was a little early.
    const isEarlier = step > this.#told;
    if (isEarlier && leftMs < this.#told * 1_000 + askAgainMs) return;
    this.#told = step;
    if (step === Infinity) this.#hide();
    else {
      this.#hideAtMs = step === tellsAtSec[1] ? Infinity : nowMs + shownMs;
      this.#events.tell(Math.ceil(leftMs / 1_000));
    }
  }

  #hide(): void {
    this.#hideAtMs = Infinity;
    this.#events.tell(null);
  }
}
