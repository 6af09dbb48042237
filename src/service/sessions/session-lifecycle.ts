import { sessionReference } from "../log.ts";
import type { SessionRecord } from "../store/store.ts";
import type { SessionDependencies } from "./session-dependencies.ts";
import { nextSessionState, sessionDeadlineMs, sessionDurationSec } from "./session-machine.ts";
import type { SessionState, SessionTrigger } from "./session-machine.ts";

const sweepBatch = 500;

/** Applies what happens to sessions, one compare-and-set at a time, and ends those whose lease ran out. */
export interface SessionLifecycle {
  /** The session after the trigger; null when there is none of that id. */
  apply(sessionId: string, trigger: SessionTrigger): Promise<SessionRecord | null>;
  /** A trigger from a place that cannot wait or fail, such as a media hook. */
  applyInBackground(sessionId: string, trigger: SessionTrigger): void;
  /** Ends every session whose time has come; resolves with how many. */
  sweep(): Promise<number>;
  start(): void;
  stop(): void;
}

/** The lifecycle of the sessions in a store. */
export function createSessionLifecycle(
  dependencies: Pick<SessionDependencies, "clock" | "store" | "media" | "log" | "settings">,
): SessionLifecycle {
  const { clock, store, media, log, settings } = dependencies;
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
      duration_sec: sessionDurationSec(state, clock.nowMs()),
    });
    if (state.status === "TERMINATED") media.close(id);
  }

  async function apply(sessionId: string, trigger: SessionTrigger): Promise<SessionRecord | null> {
    for (;;) {
      const session = await store.sessions.byId(sessionId);
      if (session === null) return null;
      const state = nextSessionState(session.state, trigger, clock.nowMs(), settings);
      if (state === session.state) return session;
      const deadlineAtMs = sessionDeadlineMs(state, settings);
      const next = { ...session, state, deadlineAtMs, revision: session.revision + 1 };
      // Somebody else may have changed it meanwhile; then the trigger is applied to what it has become.
      if (!(await store.sessions.replace(next))) continue;
      report(session.state, next);
      return next;
    }
  }

  function applyInBackground(sessionId: string, trigger: SessionTrigger): void {
    apply(sessionId, trigger).then(
      (session) => {
        if (session === null || session.state.status === "TERMINATED") media.close(sessionId);
      },
      (error: unknown) => {
        log.error("session trigger failed", { session: sessionReference(sessionId), error: String(error) });
      },
    );
  }

  async function sweep(): Promise<number> {
    const expireLeases = clock.nowMs() >= graceUntilMs;
    let ended = 0;
    for (const { id } of await store.sessions.due(clock.nowMs(), sweepBatch)) {
      const session = await apply(id, { type: "tick", expireLeases });
      if (session?.state.status === "TERMINATED") ended += 1;
    }
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
