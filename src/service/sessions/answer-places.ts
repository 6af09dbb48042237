import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "../clock.ts";
import type { Counter } from "../../protocol/counter.ts";
import { LimitExceeded } from "../limit-exceeded.ts";

/** A place that was not renewed for this time is free again, for example after its process died. */
const placeTtlMs = 30_000;
const placeRenewalMs = 10_000;

/**
 * When a client interrupts an answer and asks again at once, the two requests may arrive in the opposite order. So the next turn
 * waits a moment for the place of the previous one.
 */
const placeWaitMs = 1_000;
const placeLookMs = 25;

interface PlaceParts {
  clock: Clock;
  counter: Pick<Counter, "hold" | "release">;
  /** How many answers a session may have at the same time; Infinity turns the limit off. */
  limit: number;
}

/** The language model's answers in progress: each takes a place of its session. */
export class AnswerPlaces {
  readonly #parts: PlaceParts;
  /** Sessions in which a turn waits for a place. Only one turn per session may wait. */
  readonly #waiting = new Set<string>();

  constructor(parts: PlaceParts) {
    this.#parts = parts;
  }

  /**
   * Takes the place of an answer. Resolves with a function that gives it back; aborting the signal also does. Throws
   * LimitExceeded. Rejects with the signal's reason when it is aborted before the place is taken.
   */
  async take(sessionId: string, signal: AbortSignal): Promise<() => void> {
    const { counter, limit } = this.#parts;
    if (limit === Infinity) return () => undefined;
    const key = `answering:${sessionId}`;
    const holder = randomUUID();
    const hold = (most: number): Promise<boolean> =>
      counter.hold(key, holder, most, placeTtlMs).catch(() => true);
    await this.#wait(sessionId, () => hold(limit), signal);
    const renewal = setInterval(() => void hold(Infinity), placeRenewalMs).unref();
    const release = (): void => {
      clearInterval(renewal);
      signal.removeEventListener("abort", release);
      counter.release(key, holder).catch(() => undefined);
    };
    signal.addEventListener("abort", release);
    if (signal.aborted) release();
    return release;
  }

  async #wait(sessionId: string, hold: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
    const { clock, limit } = this.#parts;
    const giveUpAtMs = performance.now() + placeWaitMs;
    const isFirst = !this.#waiting.has(sessionId);
    if (isFirst) this.#waiting.add(sessionId);
    try {
      while (!(await hold())) {
        if (!isFirst || performance.now() > giveUpAtMs)
          throw new LimitExceeded("answers at once in a session", limit, clock.nowMs() + placeWaitMs);
        await delay(placeLookMs, undefined, { signal });
      }
    } finally {
      if (isFirst) this.#waiting.delete(sessionId);
    }
  }
}
