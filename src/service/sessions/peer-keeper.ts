import { randomUUID } from "node:crypto";
import { sessionReference } from "../log.ts";
import type { MediaEngine, PeerRequest } from "../media/media-engine.ts";
import type { SessionDependencies } from "./session-dependencies.ts";
import type { SessionNotices } from "./session-notices.ts";

/** Notices may be lost; so often the store is asked about every peer, in ms. */
const checkIntervalMs = 5_000;

/** What a keeper is made from. */
export interface PeerKeeperDependencies extends Pick<SessionDependencies, "store" | "log"> {
  media: MediaEngine;
  notices: SessionNotices;
}

/**
 * A media engine among those of other processes that serve the same store: of all of them, the one that made a session's
 * peer last keeps it, while the session lives. Every other closes its own.
 */
export interface PeerKeeper extends MediaEngine {
  /** Closes every peer here whose session ended, or has its peer in another process by now. */
  check(): Promise<void>;
  /** Begins to listen, and to check regularly. `stop` ends both. */
  start(): void;
}

/** Keeps the peers of one process in step with the store. */
export function createPeerKeeper({ media, notices, store, log }: PeerKeeperDependencies): PeerKeeper {
  const process = randomUUID();
  /** Sessions whose peer was made here; the engine may have lost some since. */
  const made = new Set<string>();
  /** Exchanges under way. They decide for themselves who has the peer. */
  const exchanging = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let unsubscribe: (() => void) | undefined;

  async function look(sessionIds: string[]): Promise<void> {
    const ours = new Set(await store.peers.held(process, sessionIds));
    for (const sessionId of sessionIds) {
      if (ours.has(sessionId) || exchanging.has(sessionId) || !made.delete(sessionId)) continue;
      log.info("peer given up", { session: sessionReference(sessionId) });
      media.close(sessionId);
    }
  }

  function lookInBackground(sessionIds: string[]): void {
    if (sessionIds.length === 0) return;
    look(sessionIds).catch((error: unknown) => log.error("peer check failed", { error: String(error) }));
  }

  async function counted<Answer>(sessionId: string, exchange: () => Promise<Answer>): Promise<Answer> {
    exchanging.set(sessionId, (exchanging.get(sessionId) ?? 0) + 1);
    try {
      return await exchange();
    } finally {
      const left = exchanging.get(sessionId)! - 1;
      if (left === 0) exchanging.delete(sessionId);
      else exchanging.set(sessionId, left);
    }
  }

  return {
    exchange: (request: PeerRequest) =>
      counted(request.sessionId, async () => {
        const answer = await media.exchange(request);
        made.add(request.sessionId);
        await store.peers.take(request.sessionId, process);
        // Whoever had the peer before hears that it is here now.
        notices.publish(request.sessionId);
        return answer;
      }),
    close(sessionId) {
      made.delete(sessionId);
      media.close(sessionId);
      // Its peer may be elsewhere.
      notices.publish(sessionId);
    },
    get peerCount() {
      return media.peerCount;
    },
    check: () => look([...made]),
    start() {
      unsubscribe ??= notices.subscribe((sessionId) => {
        if (sessionId === null) lookInBackground([...made]);
        else if (made.has(sessionId)) lookInBackground([sessionId]);
      });
      timer ??= setInterval(() => lookInBackground([...made]), checkIntervalMs).unref();
    },
    async stop() {
      clearInterval(timer);
      unsubscribe?.();
      [timer, unsubscribe] = [undefined, undefined];
      await media.stop();
    },
  };
}
