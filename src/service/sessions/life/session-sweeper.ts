import type { SessionRecord, Store } from "../../store/store.ts";
import { setTimeout as pause } from "node:timers/promises";
import { sessionReference } from "../../../logging/logger.ts";
import type { RemovedFaces } from "../connection/session-picture.ts";
import type { SessionDependencies } from "../session-dependencies.ts";
import type { SessionLifecycle } from "./session-lifecycle.ts";

/** How many sessions one sweep ends: more would delay requests. */
const batch = 100;

/**
 * Finds the live sessions whose embed context was removed or disabled. Sessions are searched only after a context changed, in
 * this process or another. Finding out whether one changed takes one cheap query per sweep.
 */
function createRevokedContexts({
  contexts,
  sessions,
}: Pick<Store, "contexts" | "sessions">): () => Promise<SessionRecord[]> {
  let searched: string | undefined;
  return async () => {
    const version = await contexts.version();
    if (version === searched) return [];
    const found = await sessions.withoutContext(batch);
    if (found.length < batch) searched = version;
    return found;
  };
}

/** How many sessions are swept at once: more would delay requests. */
const sweepBatch = 25;

interface SweeperParts extends Pick<SessionDependencies, "clock" | "log" | "settings"> {
  store: Pick<Store, "sessions" | "contexts">;
  lifecycle: Pick<SessionLifecycle, "apply">;
  faces: Pick<RemovedFaces, "find">;
  /** Removes the files that visitors had attached in sessions that have ended. */
  removeAttachments(): Promise<void>;
}

/** Ends the sessions whose lease ran out, and those whose context or face may no longer be used. */
export class SessionSweeper {
  readonly #parts: SweeperParts;
  readonly #revoked: () => Promise<SessionRecord[]>;
  #timer: NodeJS.Timeout | undefined;
  #isSweeping = false;
  /** Until this time no session counts as lost: while the service was down, no client could send a sign of life. */
  #graceUntilMs = 0;

  constructor(parts: SweeperParts) {
    this.#parts = parts;
    this.#revoked = createRevokedContexts(parts.store);
  }

  /** Starts to sweep regularly. */
  start(): void {
    const { clock, settings } = this.#parts;
    this.#graceUntilMs = clock.nowMs() + settings.lostAfterSec * 1000;
    this.#timer ??= setInterval(() => void this.#sweepOnTime(), settings.sweepIntervalMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Ends every session whose time is over; resolves with how many. */
  async sweep(): Promise<number> {
    const { clock, store, lifecycle } = this.#parts;
    let ended = await this.#endRevoked();
    const expireLeases = clock.nowMs() >= this.#graceUntilMs;
    const untilMs = clock.nowMs();
    let after: SessionRecord | undefined;
    do {
      const startedMs = performance.now();
      const due = await store.sessions.due(untilMs, sweepBatch, after);
      // Swept together, so that they share the cost of one write.
      const swept = await Promise.all(
        due.map((session) => lifecycle.apply(session.id, { type: "tick", expireLeases }, { known: session })),
      );
      ended += swept.filter((session) => session?.state.status === "TERMINATED").length;
      after = due.length === sweepBatch ? due.at(-1) : undefined;
      // Requests run in between: a sweep takes at most half of the time.
      if (after) await pause(performance.now() - startedMs);
    } while (after);
    await this.#parts.removeAttachments();
    return ended;
  }

  /** Ends the sessions whose context or face may no longer be used; resolves with how many. */
  async #endRevoked(): Promise<number> {
    const sessions = await this.#revoked();
    for (const { id } of sessions) await this.#end(id, "session ended with its context");
    const faceless = await this.#parts.faces.find();
    for (const id of faceless) await this.#end(id, "session ended with its face");
    return sessions.length + faceless.length;
  }

  async #end(id: string, message: string): Promise<void> {
    const { log, lifecycle } = this.#parts;
    log.info(message, { session: sessionReference(id) });
    await lifecycle.apply(id, { type: "end", reason: "GRACEFUL_TERMINATION", by: "service" });
  }

  async #sweepOnTime(): Promise<void> {
    if (this.#isSweeping) return;
    this.#isSweeping = true;
    try {
      await this.sweep();
    } catch (error) {
      this.#parts.log.error("session sweep failed", { error: String(error) });
    } finally {
      this.#isSweeping = false;
    }
  }
}
