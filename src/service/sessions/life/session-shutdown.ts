import { setTimeout as pause } from "node:timers/promises";
import { Fault } from "../../faults/fault.ts";
import type { SessionRecord } from "../../store/store.ts";
import type { SessionDependencies } from "../session-dependencies.ts";
import type { SessionLifecycle } from "./session-lifecycle.ts";

/** The sessions that the service has ended, and whose clients do not know it yet. */
class Untold {
  readonly #sessions = new Set<string>();
  #handleEmpty: () => void = () => undefined;

  add(sessionId: string): void {
    this.#sessions.add(sessionId);
  }

  /** The client of the session knows. */
  delete(sessionId: string): void {
    if (this.#sessions.delete(sessionId) && this.#sessions.size === 0) this.#handleEmpty();
  }

  /** Resolves when all clients know, or after the time limit. */
  async untilEmpty(limitMs: number): Promise<void> {
    if (this.#sessions.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#handleEmpty = resolve;
      timer = setTimeout(resolve, limitMs);
    });
    clearTimeout(timer);
  }
}

/** How long clients have to learn that their session is over. Heartbeats come every 10 s, but most clients learn it sooner. */
const noticeMs = 6_000;
/** How long answers in progress may go on before the service stops. */
const answersMs = 4_000;
/** Time for the message `restart` to leave before the peers close. */
const announceMs = 300;
const batchSize = 100;

/** Ends or keeps a service's sessions before the process stops. */
export interface SessionShutdown {
  readonly isStopping: boolean;
  /** Throws a Fault (503) once the service is stopping. */
  refuseWhenStopping(): void;
  /**
   * Records that a client got the answer that its session is over. Only a heartbeat's answer counts: it says why the session ended,
   * which a client cannot tell from another refused request.
   */
  told(sessionId: string): void;
  /** An answer has begun. The service waits for it before it stops, for a while. Returns the function that ends it. */
  answering(): () => void;
  /**
   * From now on no session can start. If other processes share the sessions, the sessions continue there. If this is the only
   * process, the sessions of embed contexts wait for its restart, unless the settings say that they end; all others end, and
   * their clients have 6 s to learn it. Clients with a peer here are told to exchange again. Resolves within 7 s.
   */
  drain(): Promise<void>;
}

type ShutdownParts = Pick<SessionDependencies, "store" | "settings" | "log" | "media">;

/** Creates the shutdown of a service's sessions. */
export function createSessionShutdown(parts: ShutdownParts, lifecycle: SessionLifecycle): SessionShutdown {
  const { settings, log } = parts;
  let isStopping = false;
  const untold = new Untold();
  const answers = new Set<symbol>();

  /** Clients of an embed context continue a session by themselves. Other clients rely on being told its end. */
  const isKept = ({ contextUuid }: SessionRecord): boolean =>
    settings.sharesSessions || (settings.sessionsOnStop === "resume" && contextUuid !== null);

  async function untilAnswered(): Promise<void> {
    const untilMs = performance.now() + answersMs;
    while (answers.size > 0 && performance.now() < untilMs) await pause(50);
  }

  return {
    get isStopping() {
      return isStopping;
    },
    refuseWhenStopping() {
      if (isStopping) throw Fault.stopping();
    },
    told: (sessionId) => untold.delete(sessionId),
    answering() {
      const answer = Symbol();
      answers.add(answer);
      return () => answers.delete(answer);
    },
    async drain() {
      if (isStopping) return;
      isStopping = true;
      const { sharesSessions, sessionsOnStop } = settings;
      const isEnd = !sharesSessions && sessionsOnStop === "end";
      log.info("service stopping", { ends_sessions: isEnd });
      if (!sharesSessions) await endSessions(parts, lifecycle, { untold, isKept });
      if (isEnd) return untold.untilEmpty(noticeMs);
      await Promise.all([untold.untilEmpty(noticeMs), untilAnswered()]);
      if (parts.media.peerCount === 0) return;
      parts.media.announceRestart();
      await pause(announceMs);
    },
  };
}

/** Ends every live session that is not kept. */
async function endSessions(
  { store }: Pick<ShutdownParts, "store">,
  lifecycle: SessionLifecycle,
  { untold, isKept }: { untold: Untold; isKept: (session: SessionRecord) => boolean },
): Promise<void> {
  let after: SessionRecord | undefined;
  do {
    const live = await store.sessions.due(Number.MAX_SAFE_INTEGER, batchSize, after);
    const ending = live.filter((session) => !isKept(session));
    for (const { id } of ending) untold.add(id);
    await Promise.all(
      ending.map((known) =>
        lifecycle.apply(known.id, { type: "end", reason: "GRACEFUL_TERMINATION", by: "service" }, { known }),
      ),
    );
    after = live.at(-1);
  } while (after);
}
