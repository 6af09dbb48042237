import { Fault } from "../fault.ts";
import type { SessionDependencies } from "./session-dependencies.ts";
import type { SessionLifecycle } from "./session-lifecycle.ts";

/** How long clients are given to hear that their session is over; heartbeats come every 10 s, most hear sooner. */
const tellMs = 6_000;
const batchSize = 100;

/** How the service takes leave of its clients. */
export interface SessionShutdown {
  readonly isStopping: boolean;
  /** Throws a Fault (503) once the service is stopping. */
  refuseWhenStopping(): void;
  /** A client was answered that its session is over. */
  told(sessionId: string): void;
  /**
   * From now on no session begins. Where this is the only process, every live session ends; resolves when their clients
   * were told or 6 s have passed. Where others share the sessions they go on there: clients lose the peer that lived here
   * and exchange again.
   */
  drain(): Promise<void>;
}

/** The end of a service's sessions. */
export function createSessionShutdown(
  { store, settings, log }: Pick<SessionDependencies, "store" | "settings" | "log">,
  lifecycle: SessionLifecycle,
): SessionShutdown {
  let isStopping = false;
  const untold = new Set<string>();
  let allTold: () => void = () => undefined;

  async function endAll(): Promise<void> {
    for (;;) {
      const live = await store.sessions.due(Number.MAX_SAFE_INTEGER, batchSize);
      if (live.length === 0) return;
      for (const { id } of live) untold.add(id);
      await Promise.all(
        live.map((known) =>
          lifecycle.apply(
            known.id,
            { type: "end", reason: "GRACEFUL_TERMINATION", by: "service" },
            { known },
          ),
        ),
      );
    }
  }

  return {
    get isStopping() {
      return isStopping;
    },
    refuseWhenStopping() {
      if (isStopping) throw Fault.stopping();
    },
    told(sessionId) {
      if (untold.delete(sessionId) && untold.size === 0) allTold();
    },
    async drain() {
      if (isStopping) return;
      isStopping = true;
      log.info("service stopping", { ends_sessions: !settings.sharesSessions });
      if (settings.sharesSessions) return;
      const everybody = new Promise<void>((resolve) => (allTold = resolve));
      const timer = setTimeout(allTold, tellMs);
      await endAll();
      if (untold.size > 0) await everybody;
      clearTimeout(timer);
    },
  };
}
