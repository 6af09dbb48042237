import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "../../clock.ts";
import type { Counter } from "../../../protocol/counter.ts";
import { LimitExceeded } from "../../faults/fault.ts";
import type { Logger } from "../../../logging/logger.ts";
import { defaultEngineBudgets, type EngineBudgets, type ServiceSettings } from "../../service-settings.ts";
import type { SessionRecord, Store } from "../../store/store.ts";

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
class AnswerPlaces {
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

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** The key, limit and time window of one count. */
interface BudgetWindow {
  key: string;
  limit: number;
  windowMs: number;
  /** How the error message names what is limited. */
  what: string;
}

/** What is counted a day. */
type DayKind = "turns" | "early" | "characters";

const whats: Readonly<Record<DayKind, string>> = {
  turns: "answers",
  early: "answers that begin early",
  characters: "spoken characters",
};

interface BudgetDependencies {
  clock: Clock;
  counter: Counter;
  log: Logger;
  store: Pick<Store, "contexts">;
  settings: Pick<ServiceSettings, "engineBudgets">;
}

/** What sessions may still use of engines. Every method throws LimitExceeded when its limit is reached. */
export interface EngineBudget {
  /**
   * Takes one turn of the language model, and a place for the answer in progress. Resolves with a function that gives the place
   * back; aborting the signal also does. Rejects with the signal's reason when it is aborted before.
   */
  takeTurn(session: SessionRecord, signal: AbortSignal): Promise<() => void>;
  /** Takes one language model call that is not a turn of the conversation, such as a translation. */
  takeModelCall(session: SessionRecord): Promise<void>;
  /**
   * Takes one call for an answer that begins before its turn is certain. Such calls are counted apart, with the limits of turns:
   * one that is discarded takes no turn from the visitor, and their cost is limited nevertheless.
   */
  takeEarlyCall(session: SessionRecord): Promise<void>;
  takeCharacters(session: SessionRecord, count: number): Promise<void>;
  takeRecognition(session: SessionRecord): Promise<void>;
  /** For a recognition that may turn out to be needless: half as many as of the others. */
  takeSpeculation(session: SessionRecord): Promise<void>;
}

/** The limit that an owner set, where 0 means no limit; `otherwise` if it set none. */
function ownLimit(own: number | undefined, otherwise: number): number {
  if (own === undefined) return otherwise;
  return own === 0 ? Infinity : own;
}

/** Counts the engine use of sessions, per session and minute and per embed context and day. */
export function createEngineBudget(dependencies: BudgetDependencies): EngineBudget {
  return new CountedBudget(dependencies);
}

class CountedBudget implements EngineBudget {
  readonly #parts: BudgetDependencies;
  readonly #budgets: EngineBudgets;
  readonly #places: AnswerPlaces;

  constructor(parts: BudgetDependencies) {
    this.#parts = parts;
    this.#budgets = parts.settings.engineBudgets ?? defaultEngineBudgets;
    const { clock, counter } = parts;
    this.#places = new AnswerPlaces({ clock, counter, limit: this.#budgets.session.turnsAtOnce });
  }

  async takeTurn(session: SessionRecord, signal: AbortSignal): Promise<() => void> {
    const release = await this.#places.take(session.id, signal);
    try {
      await this.takeModelCall(session);
      return release;
    } catch (error) {
      release();
      throw error;
    }
  }

  async takeModelCall(session: SessionRecord): Promise<void> {
    await this.#takeCall(session, "turns");
  }

  async takeEarlyCall(session: SessionRecord): Promise<void> {
    await this.#takeCall(session, "early");
  }

  async #takeCall(session: SessionRecord, kind: "turns" | "early"): Promise<void> {
    await this.#takeOfMinute(session, 1, {
      kind,
      limit: this.#budgets.session.turnsPerMinute,
      what: `${whats[kind]} a minute in a session`,
    });
    await this.#takeOfDay(session, kind, 1);
  }

  async takeCharacters(session: SessionRecord, count: number): Promise<void> {
    await this.#takeOfMinute(session, count, {
      kind: "characters",
      limit: this.#budgets.session.charactersPerMinute,
      what: "spoken characters a minute in a session",
    });
    await this.#takeOfDay(session, "characters", count);
  }

  async takeRecognition(session: SessionRecord): Promise<void> {
    await this.#takeOfMinute(session, 1, {
      kind: "recognitions",
      limit: this.#budgets.session.recognitionsPerMinute,
      what: "recordings and files a minute in a session",
    });
  }

  async takeSpeculation(session: SessionRecord): Promise<void> {
    await this.#takeOfMinute(session, 1, {
      kind: "speculations",
      limit: Math.ceil(this.#budgets.session.recognitionsPerMinute / 2),
      what: "recordings at their pauses a minute in a session",
    });
  }

  #takeOfMinute(
    { id }: SessionRecord,
    amount: number,
    { kind, limit, what }: { kind: string; limit: number; what: string },
  ): Promise<void> {
    return this.#take(amount, { key: `${kind}:${id}`, limit, windowMs: minuteMs, what });
  }

  /** Takes from the daily limit of the session's embed context, if it has one. */
  async #takeOfDay(
    { organizationId, contextUuid }: SessionRecord,
    kind: DayKind,
    amount: number,
  ): Promise<void> {
    if (contextUuid === null) return;
    const context = await this.#parts.store.contexts.byUuid(organizationId, contextUuid);
    const own = context?.config.limits;
    const limit =
      kind === "characters"
        ? ownLimit(own?.characters_per_day, this.#budgets.context.charactersPerDay)
        : ownLimit(own?.turns_per_day, this.#budgets.context.turnsPerDay);
    const what = `${whats[kind]} a day in this context`;
    await this.#take(amount, { key: `day:${kind}:${contextUuid}`, limit, windowMs: dayMs, what });
  }

  /** Adds to a window. An amount that does not fit is not added, so a smaller one may still fit. */
  async #take(amount: number, { key, limit, windowMs, what }: BudgetWindow): Promise<void> {
    if (limit === Infinity) return;
    const { counter, log } = this.#parts;
    try {
      const { total, resetAtMs } = await counter.add(key, amount, windowMs);
      if (total <= limit) return;
      await counter.add(key, -amount, windowMs);
      throw new LimitExceeded(what, limit, resetAtMs);
    } catch (error) {
      // A counter that does not answer must not stop the service.
      if (error instanceof LimitExceeded) throw error;
      log.warn("engine budgets cannot be counted", { error: String(error) });
    }
  }
}
