import type { Clock } from "../../clock.ts";
import type { Counter, CounterWindow } from "../../../protocol/counter.ts";
import type { Logger } from "../../../logging/logger.ts";
import type { PasswordHasher } from "../../operator-password.ts";
import { isAccountPassword } from "../../administration/accounts/accounts.ts";
import type { AccountRecord } from "../../store/store.ts";
import { AuthFault } from "../identity.ts";
import { addressKey, type ClientAddress } from "../node-request.ts";
import type { HttpContext } from "../http-environment.ts";
import { showWindow } from "../middleware/rate-limit.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** How long an address is known after the operator logged in from it. */
const knownMs = 90 * dayMs;

/** Failures of one source in a day that have no consequence. Each further one doubles the wait. */
const freeFailures = 5;
const longestWaitMs = 15 * minuteMs;

/** Failures of all unknown sources in an hour that have no consequence. Beyond, every unknown attempt is delayed. */
const freeFailuresOfAll = 20;
const firstDelayMs = 100;
const longestDelayMs = 5_000;
/** After this many further failures the delay is doubled. */
const failuresPerDoubling = 10;
/** The most unknown attempts that wait at the same time. */
const mostWaiting = 100;

/** Where an attempt to log in comes from. */
export interface LoginSource {
  /** The address, as limits count it. */
  address: string;
  /** The browser, if the operator has logged in from it before (`LoginDevices`). */
  device: string | null;
}

/**
 * How an attempt ended. `wrong`: `window` has the attempts of this minute. `wait`: the password was not checked; try again after the
 * window.
 */
type LoginOutcome = { type: "right" } | { type: "wrong" | "wait"; window: CounterWindow };

/** What a guard needs. */
interface LoginGuardParts {
  counter: Counter;
  clock: Clock;
  log: Logger;
  attemptsPerMinute: number;
  /** Resolves after the given ms. Default: a timer. */
  pause?: (ms: number) => Promise<void>;
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function waitMs(failures: number): number {
  return failures <= freeFailures ? 0 : Math.min(longestWaitMs, 1_000 * 2 ** (failures - freeFailures - 1));
}

/** Each failure's wait has its own window, so that reading the counter opens no window of another length. */
const waitKey = (name: string, failures: number): string => `login-wait:${name}:${failures}`;

function delayMs(failures: number): number {
  const more = failures - freeFailuresOfAll;
  return more <= 0 ? 0 : Math.min(longestDelayMs, firstDelayMs * 2 ** Math.floor(more / failuresPerDoubling));
}

/**
 * Slows down password guessing without ever locking the operator out. Each source (a known browser, else an address) has its
 * own limit and its own growing wait, so nobody can use up another's. Failures of all sources together delay only attempts
 * from unknown sources, by seconds; an address or browser of an earlier login is exempt.
 */
export class LoginGuard {
  readonly #parts: LoginGuardParts;
  #waiting = 0;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(parts: LoginGuardParts) {
    this.#parts = parts;
  }

  /** Checks a password with `isRight`, if its source may try one now. */
  async attempt(source: LoginSource, isRight: () => Promise<boolean>): Promise<LoginOutcome> {
    const { counter } = this.#parts;
    const name = source.device === null ? source.address : `device:${source.device}`;
    const begun = await this.#begin(name);
    if (begun.refusal !== null) return { type: "wait", window: begun.refusal };
    // The window that reading opens is over before the password is checked.
    const isKnown =
      source.device !== null || (await counter.add(`login-known:${source.address}`, 0, 1)).total > 0;
    const right = isKnown ? await isRight() : await this.#slowly(isRight);
    if (right === null) return { type: "wait", window: this.#soon() };
    await (right ? this.#noteSuccess(source, name) : this.#noteFailure(name, isKnown));
    return right ? { type: "right" } : { type: "wrong", window: begun.attempts };
  }

  /** Counts an attempt. `refusal`: the window that the source has to wait for; null where it may try now. */
  async #begin(
    name: string,
  ): Promise<{ refusal: CounterWindow } | { refusal: null; attempts: CounterWindow }> {
    const { counter, attemptsPerMinute } = this.#parts;
    const { total: failures } = await counter.add(`login-fail:${name}`, 0, dayMs);
    const waiting = await counter.add(waitKey(name, failures), 0, Math.max(1, waitMs(failures)));
    if (waiting.total > 0) return { refusal: waiting };
    const attempts = await counter.add(`login:${name}`, 1, minuteMs);
    return attempts.total > attemptsPerMinute ? { refusal: attempts } : { refusal: null, attempts };
  }

  /** Checks unknown attempts one at a time, with a delay that grows with failures. Null where too many are waiting. */
  async #slowly(isRight: () => Promise<boolean>): Promise<boolean | null> {
    if (this.#waiting >= mostWaiting) return null;
    this.#waiting += 1;
    try {
      const { counter, pause = sleep } = this.#parts;
      const delay = delayMs((await counter.add("login-fail:unknown", 0, hourMs)).total);
      if (delay > 0) await pause(delay);
      const checked = this.#queue.then(isRight);
      this.#queue = checked.catch(() => undefined);
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

interface PasswordCheckParts {
  guard: LoginGuard;
  passwords: PasswordHasher;
  clock: Clock;
  clientAddress: ClientAddress;
  attemptsPerMinute: number;
  /** The hash of the installation's password. Undefined: nobody has it. */
  installationHash: string | undefined;
}

/** What a request's password is checked against. */
interface PasswordQuestion {
  account: AccountRecord | null;
  password: string;
  /** What counts the attempts instead of the address: a browser of an earlier login. */
  device: string | null;
}

/** Checks passwords of requests, with limits against guessing. */
export type PasswordCheck = (context: HttpContext, question: PasswordQuestion) => Promise<boolean>;

/** Makes a check that throws an AuthFault (429) where the source must wait, and shows how many attempts are left. */
export function createPasswordCheck(parts: PasswordCheckParts): PasswordCheck {
  const { guard, passwords, clock, clientAddress, attemptsPerMinute: limit, installationHash } = parts;
  return async (context, { account, password, device }) => {
    const source = { address: addressKey(context, clientAddress), device };
    const outcome = await guard.attempt(source, () =>
      isAccountPassword(passwords, account, password, installationHash),
    );
    if (outcome.type === "right") return true;
    const { resetAtMs, total } = outcome.window;
    const used = outcome.type === "wait" ? limit + 1 : total;
    showWindow(context, { resetAtMs, limit, total: used }, clock.nowMs());
    if (outcome.type === "wait") throw AuthFault.rateLimited();
    return false;
  };
}
