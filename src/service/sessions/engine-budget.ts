import type { Clock } from "../clock.ts";
import type { Counter } from "../../protocol/counter.ts";
import { LimitExceeded } from "../limit-exceeded.ts";
import type { Logger } from "../../logging/logger.ts";
import { defaultEngineBudgets, type EngineBudgets, type ServiceSettings } from "../service-settings.ts";
import type { SessionRecord, Store } from "../store/store.ts";
import { AnswerPlaces } from "./answer-places.ts";

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
    const own = context?.embed_config.limits;
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
