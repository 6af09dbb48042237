import { setTimeout as pause } from "node:timers/promises";
import { sessionReference } from "../log.ts";
import type { MediaEngine } from "../media/media-engine.ts";
import type { ServiceMetrics } from "../metrics.ts";
import type { EventRecord, SessionRecord } from "../store/store.ts";
import type { SessionDependencies } from "./session-dependencies.ts";
import { RecentSessions } from "./recent-sessions.ts";
import { createRevokedContexts } from "./revoked-contexts.ts";
import {
  boughtMinutes,
  monthOf,
  nextSessionState,
  placeChange,
  sessionDeadlineMs,
  sessionDurationSec,
  refusedSessionState,
} from "./session-machine.ts";
import type { SessionState, SessionTrigger } from "./session-machine.ts";

/** So many sessions are swept at once: more would keep requests waiting. */
const sweepBatch = 25;

/** Makes the event that tells of a change, from the state that the change leads to. */
type EventMaker = (state: SessionState) => EventRecord;

interface ApplyOptions {
  /** The session where it has been read already. */
  known?: SessionRecord | null;
  /** Makes an event that is stored together with the change, or alone where nothing changes. */
  record?: EventMaker;
}

/** Applies what happens to sessions, one compare-and-set at a time, and ends those whose lease ran out. */
export interface SessionLifecycle {
  /** The session after the trigger; null when there is none of that id. */
  apply(sessionId: string, trigger: SessionTrigger, options?: ApplyOptions): Promise<SessionRecord | null>;
  /** A trigger from a place that cannot wait or fail, such as a media hook. */
  applyInBackground(sessionId: string, trigger: SessionTrigger): void;
  /** Ends every session whose time has come; resolves with how many. */
  sweep(): Promise<number>;
  start(): void;
  stop(): void;
}

/** What changes of sessions are made and told with. */
interface LifecycleDependencies extends Pick<SessionDependencies, "clock" | "store" | "log" | "settings"> {
  media: Pick<MediaEngine, "close">;
  metrics: Pick<ServiceMetrics, "sessionEnded">;
}

/** The lifecycle of the sessions in a store. */
export function createSessionLifecycle(dependencies: LifecycleDependencies): SessionLifecycle {
  const { clock, store, media, log, metrics, settings } = dependencies;
  const recent = new RecentSessions();
  const revoked = createRevokedContexts(store);
  let timer: NodeJS.Timeout | undefined;
  let sweeping = false;
  /** Until then nobody is called lost: while the service was down, no client could show a sign of life. */
  let graceUntilMs = 0;

  function report(before: SessionState, { id, state }: SessionRecord): void {
    if (state.status === before.status) return;
    log.info("session status", {
      session: sessionReference(id),
      from: before.status,
      to: state.status,
      reason: state.terminationReason,
      duration_sec: sessionDurationSec(state),
    });
    if (state.status !== "TERMINATED") return;
    media.close(id);
    if (state.terminationReason) metrics.sessionEnded(state.terminationReason);
  }

  /** Saves one change; null when somebody else changed the session meanwhile. */
  async function save(
    before: SessionRecord,
    state: SessionState,
    record?: EventMaker,
  ): Promise<SessionRecord | null> {
    const next = {
      ...before,
      state,
      deadlineAtMs: sessionDeadlineMs(state, settings),
      revision: before.revision + 1,
    };
    const outcome = await store.sessions.replace(next, {
      minutes: boughtMinutes(before.state, state),
      place: placeChange(before.state, state),
      month: monthOf(clock.nowMs()),
      event: record?.(state),
    });
    if (outcome === "stale") return null;
    if (outcome !== "saved")
      return save(before, refusedSessionState(before.state, outcome, clock.nowMs()), record);
    recent.keep(next);
    report(before.state, next);
    return next;
  }

  async function apply(
    sessionId: string,
    trigger: SessionTrigger,
    { known = null, record }: ApplyOptions = {},
  ): Promise<SessionRecord | null> {
    let session = known ?? recent.get(sessionId) ?? (await store.sessions.byId(sessionId));
    while (session !== null) {
      const isRecent = session === recent.get(sessionId);
      const state = nextSessionState(session.state, trigger, clock.nowMs(), settings);
      if (state !== session.state) {
        const saved = await save(session, state, record);
        if (saved) return saved;
        // Somebody else changed it; the trigger is applied to what it has become.
      } else if (!isRecent) {
        if (record) await store.events.insert(record(state));
        return session;
      }
      recent.forget(sessionId);
      session = await store.sessions.byId(sessionId);
    }
    return null;
  }

  function applyInBackground(sessionId: string, trigger: SessionTrigger): void {
    apply(sessionId, trigger).then(
      (session) => {
        if (trigger.type === "peer-closed") return;
        if (session === null || session.state.status === "TERMINATED") media.close(sessionId);
      },
      (error: unknown) => {
        log.error("session trigger failed", { session: sessionReference(sessionId), error: String(error) });
      },
    );
  }

  /** Ends the sessions whose context may not be used any more; resolves with how many. */
  async function endRevoked(): Promise<number> {
    const sessions = await revoked();
    for (const { id } of sessions) {
      log.info("session ended with its context", { session: sessionReference(id) });
      await apply(id, { type: "end", reason: "GRACEFUL_TERMINATION", by: "service" });
    }
    return sessions.length;
  }

  async function sweep(): Promise<number> {
    let ended = await endRevoked();
    const expireLeases = clock.nowMs() >= graceUntilMs;
    const untilMs = clock.nowMs();
    let after: SessionRecord | undefined;
    do {
      const startedMs = performance.now();
      const due = await store.sessions.due(untilMs, sweepBatch, after);
      // Together, so that they share the cost of being written.
      const swept = await Promise.all(
        due.map((session) => apply(session.id, { type: "tick", expireLeases }, { known: session })),
      );
      ended += swept.filter((session) => session?.state.status === "TERMINATED").length;
      after = due.length === sweepBatch ? due.at(-1) : undefined;
      // Requests come between: a sweep takes no more than half of the time.
      if (after) await pause(performance.now() - startedMs);
    } while (after);
    return ended;
  }

  async function sweepOnTime(): Promise<void> {
    if (sweeping) return;
    sweeping = true;
    try {
      await sweep();
    } catch (error) {
      log.error("session sweep failed", { error: String(error) });
    } finally {
      sweeping = false;
    }
  }

  return {
    apply,
    applyInBackground,
    sweep,
    start() {
      graceUntilMs = clock.nowMs() + settings.lostAfterSec * 1000;
      timer ??= setInterval(() => void sweepOnTime(), settings.sweepIntervalMs).unref();
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
    },
  };
}
