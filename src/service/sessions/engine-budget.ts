import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "../clock.ts";
import type { Counter } from "../counter.ts";
import { LimitExceeded } from "../limit-exceeded.ts";
import type { Log } from "../log.ts";
import { defaultEngineBudgets, type ServiceSettings } from "../service-settings.ts";
import type { SessionRecord, Store } from "../store/store.ts";

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** A place is free again when nobody renewed it for so long, as when its process died. */
const placeTtlMs = 30_000;
const placeRenewalMs = 10_000;

/**
 * A client that interrupts an answer and asks anew at once may be heard in the other order. So the next turn waits a moment
 * for the place of the one before.
 */
const placeWaitMs = 1_000;
const placeLookMs = 25;

interface BudgetDependencies {
  clock: Clock;
  counter: Counter;
  log: Log;
  store: Pick<Store, "contexts">;
  settings: Pick<ServiceSettings, "engineBudgets">;
}

/** What sessions may still ask of engines. Every method throws LimitExceeded where that is nothing now. */
export interface EngineBudget {
  /**
   * Takes one turn of the language model, and the place of the answer that is under way. The function that it resolves with
   * gives the place back; so does an abort. Rejects with the signal's reason when it is aborted before.
   */
  takeTurn(session: SessionRecord, signal: AbortSignal): Promise<() => void>;
  /** Takes one call of the language model that is no turn of the conversation, such as a translation. */
  takeModelCall(session: SessionRecord): Promise<void>;
  takeCharacters(session: SessionRecord, count: number): Promise<void>;
  takeRecognition(session: SessionRecord): Promise<void>;
}

/** An owner's own limit; 0 stands for none. */
function ownLimit(own: number | undefined, otherwise: number): number {
  if (own === undefined) return otherwise;
  return own === 0 ? Infinity : own;
}

/** Counts what sessions ask of engines, by session and minute and by embed context and day. */
export function createEngineBudget({
  clock,
  counter,
  log,
  store,
  settings,
}: BudgetDependencies): EngineBudget {
  const { session: ofSession, context: ofContext } = settings.engineBudgets ?? defaultEngineBudgets;
  const waiting = new Set<string>();

  /** Adds to a window. What does not fit is not added, so that something smaller still may. */
  async function take(
    key: string,
    amount: number,
    limit: number,
    windowMs: number,
    what: string,
  ): Promise<void> {
    if (limit === Infinity) return;
    try {
      const { total, resetAtMs } = await counter.add(key, amount, windowMs);
      if (total <= limit) return;
      await counter.add(key, -amount, windowMs);
      throw new LimitExceeded(what, limit, resetAtMs);
    } catch (error) {
      // A counter that does not answer must not take the service down with it.
      if (error instanceof LimitExceeded) throw error;
      log.warn("engine budgets cannot be counted", { error: String(error) });
    }
  }

  /** Takes from the day of the session's embed context, if it has one. */
  async function takeOfDay(
    { organizationId, contextUuid }: SessionRecord,
    kind: "turns" | "characters",
    amount: number,
  ): Promise<void> {
    if (contextUuid === null) return;
    const own = (await store.contexts.byUuid(organizationId, contextUuid))?.embed_config.limits;
    const limit =
      kind === "turns"
        ? ownLimit(own?.turns_per_day, ofContext.turnsPerDay)
        : ownLimit(own?.characters_per_day, ofContext.charactersPerDay);
    const what = `${kind === "turns" ? "answers" : "spoken characters"} a day in this context`;
    await take(`day:${kind}:${contextUuid}`, amount, limit, dayMs, what);
  }

  async function takeModelCall(session: SessionRecord): Promise<void> {
    const what = "answers a minute in a session";
    await take(`turns:${session.id}`, 1, ofSession.turnsPerMinute, minuteMs, what);
    await takeOfDay(session, "turns", 1);
  }

  /** Takes the place of an answer; resolves with what gives it back. */
  async function takePlace(sessionId: string, signal: AbortSignal): Promise<() => void> {
    if (ofSession.turnsAtOnce === Infinity) return () => undefined;
    const key = `answering:${sessionId}`;
    const holder = randomUUID();
    const hold = (limit: number): Promise<boolean> =>
      counter.hold(key, holder, limit, placeTtlMs).catch(() => true);
    const giveBack = (): void => void counter.release(key, holder).catch(() => undefined);
    const giveUpAtMs = performance.now() + placeWaitMs;
    const isFirst = !waiting.has(sessionId);
    if (isFirst) waiting.add(sessionId);
    try {
      while (!(await hold(ofSession.turnsAtOnce))) {
        if (!isFirst || performance.now() > giveUpAtMs)
          throw new LimitExceeded(
            "answers at once in a session",
            ofSession.turnsAtOnce,
            clock.nowMs() + placeWaitMs,
          );
        await delay(placeLookMs, undefined, { signal });
      }
    } finally {
      if (isFirst) waiting.delete(sessionId);
    }
    const renewal = setInterval(() => void hold(Infinity), placeRenewalMs).unref();
    const release = (): void => {
      clearInterval(renewal);
      signal.removeEventListener("abort", release);
      giveBack();
    };
    signal.addEventListener("abort", release);
    if (signal.aborted) release();
    return release;
  }

  return {
    takeModelCall,
    async takeTurn(session, signal) {
      const release = await takePlace(session.id, signal);
      try {
        await takeModelCall(session);
        return release;
      } catch (error) {
        release();
        throw error;
      }
    },
    async takeCharacters(session, count) {
      const what = "spoken characters a minute in a session";
      await take(`characters:${session.id}`, count, ofSession.charactersPerMinute, minuteMs, what);
      await takeOfDay(session, "characters", count);
    },
    async takeRecognition(session) {
      const what = "recordings and files a minute in a session";
      await take(`recognitions:${session.id}`, 1, ofSession.recognitionsPerMinute, minuteMs, what);
    },
  };
}
