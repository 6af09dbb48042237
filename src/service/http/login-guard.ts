import type { Clock } from "../clock.ts";
import type { Counter, CounterWindow } from "../counter.ts";
import type { Log } from "../log.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** An address from which the operator logged in is known for so long. */
const knownMs = 90 * dayMs;

/** So many failures of one source in a day cost nothing; each one more makes it wait, twice as long as before. */
const freeFailures = 5;
const longestWaitMs = 15 * minuteMs;

/** So many failures of unknown sources in an hour slow down nobody; then every unknown attempt is held up. */
const freeFailuresOfAll = 20;
const firstDelayMs = 100;
const longestDelayMs = 5_000;
/** The delay doubles after so many failures more. */
const failuresPerDoubling = 10;
/** Unknown attempts that wait at once. */
const mostWaiting = 100;

/** Where an attempt to log in comes from. */
export interface LoginSource {
  /** The address, as limits count it. */
  address: string;
  /** The browser, where the operator has logged in from it before (`LoginDevices`). */
  device: string | null;
}

/** How an attempt ended; `wait`: its password was not looked at, and may be tried again when the window is over. */
export type LoginOutcome = { type: "right" } | { type: "wrong" } | { type: "wait"; window: CounterWindow };

/** What a guard is made from. */
export interface LoginGuardParts {
  counter: Counter;
  clock: Clock;
  log: Log;
  attemptsPerMinute: number;
  /** Resolves after so many ms. Default: a timer. */
  pause?: (ms: number) => Promise<void>;
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function waitMs(failures: number): number {
  return failures <= freeFailures ? 0 : Math.min(longestWaitMs, 1_000 * 2 ** (failures - freeFailures - 1));
}

/** Each failure's wait has a window of its own: one that was only looked at is as long, so that its end is right. */
const waitKey = (name: string, failures: number): string => `login-wait:${name}:${failures}`;

function delayMs(failures: number): number {
  const more = failures - freeFailuresOfAll;
  return more <= 0 ? 0 : Math.min(longestDelayMs, firstDelayMs * 2 ** Math.floor(more / failuresPerDoubling));
}

/**
 * Slows down whoever guesses the operator's password, and never locks the operator out. Each source (a known browser, else an
 * address) has its own limit and its own growing wait, so nobody uses up another's. Failures from everywhere only delay
 * attempts from unknown sources, by seconds; an address or browser of an earlier login is not subject to that.
 */
export class LoginGuard {
  readonly #parts: LoginGuardParts;
  #waiting = 0;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(parts: LoginGuardParts) {
    this.#parts = parts;
  }

  /** Has a password checked by `isRight`, where its source may try one now. */
  async attempt(source: LoginSource, isRight: () => Promise<boolean>): Promise<LoginOutcome> {
    const { counter } = this.#parts;
    const name = source.device === null ? source.address : `device:${source.device}`;
    const window = await this.#refusal(name);
    if (window !== null) return { type: "wait", window };
    // Checking a password takes longer than the window that is opened by looking.
    const isKnown =
      source.device !== null || (await counter.add(`login-known:${source.address}`, 0, 1)).total > 0;
    const right = isKnown ? await isRight() : await this.#slowly(isRight);
    if (right === null) return { type: "wait", window: this.#soon() };
    await (right ? this.#noteSuccess(source, name) : this.#noteFailure(name, isKnown));
    return { type: right ? "right" : "wrong" };
  }

  /** The window that a source has to wait out; null where it may try. */
  async #refusal(name: string): Promise<CounterWindow | null> {
    const { counter, attemptsPerMinute } = this.#parts;
    const { total: failures } = await counter.add(`login-fail:${name}`, 0, dayMs);
    const waiting = await counter.add(waitKey(name, failures), 0, Math.max(1, waitMs(failures)));
    if (waiting.total > 0) return waiting;
    const attempts = await counter.add(`login:${name}`, 1, minuteMs);
    return attempts.total > attemptsPerMinute ? attempts : null;
  }

  /** One unknown attempt at a time costs CPU, the later the more failed before. Null where too many wait already. */
  async #slowly(isRight: () => Promise<boolean>): Promise<boolean | null> {
    if (this.#waiting >= mostWaiting) return null;
    this.#waiting += 1;
    try {
      const { counter, pause = sleep } = this.#parts;
      const delay = delayMs((await counter.add("login-fail:unknown", 0, hourMs)).total);
      if (delay > 0) await pause(delay);
      const checked = this.#turn.then(isRight);
      this.#turn = checked.catch(() => undefined);
      return await checked;
    } finally {
      this.#waiting -= 1;
    }
  }

  #soon(): CounterWindow {
    return { total: mostWaiting, resetAtMs: this.#parts.clock.nowMs() + longestDelayMs };
  }

  async #noteSuccess({ address }: LoginSource, name: string): Promise<void> {
    const { counter } = this.#parts;
    const failures = await counter.add(`login-fail:${name}`, 0, dayMs);
    await counter.add(`login-fail:${name}`, -failures.total, dayMs);
    await counter.add(`login-known:${address}`, 1, knownMs);
  }

  async #noteFailure(name: string, isKnown: boolean): Promise<void> {
    const { counter, log } = this.#parts;
    const { total } = await counter.add(`login-fail:${name}`, 1, dayMs);
    const wait = waitMs(total);
    if (wait > 0) await counter.add(waitKey(name, total), 1, wait);
    if (isKnown) return;
    const ofAll = await counter.add("login-fail:unknown", 1, hourMs);
    if (ofAll.total === freeFailuresOfAll + 1)
      log.warn("many logins fail; attempts from unknown addresses are slowed down", {
        failures: ofAll.total,
      });
  }
}
