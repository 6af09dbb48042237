import { randomUUID } from "node:crypto";
import { sessionReference } from "../../../logging/logger.ts";
import type { MediaEngine, PeerAnswer, PeerRequest } from "../../media/media-engine.ts";
import type { SessionDependencies } from "../session-dependencies.ts";
import type { SessionNotices } from "./session-notices.ts";

/** Notices may be lost. So the store is checked for every peer at this interval, in ms. */
const checkIntervalMs = 5_000;

/** Dependencies of a peer keeper. */
export interface PeerKeeperDependencies extends Pick<SessionDependencies, "store" | "log"> {
  media: MediaEngine;
  notices: SessionNotices;
}

/**
 * A media engine next to those of other processes on the same store. While a session lives, only the process that made its peer
 * last keeps the peer; every other process closes its own.
 */
export interface PeerKeeper extends MediaEngine {
  /** Closes every local peer whose session has ended, or whose session now has its peer in another process. */
  check(): Promise<void>;
  /** Starts listening and checking regularly. `stop` ends both. */
  start(): void;
}

/** Keeps the peers of one process consistent with the store. */
export function createPeerKeeper(dependencies: PeerKeeperDependencies): PeerKeeper {
  return new StoredPeers(dependencies);
}

class StoredPeers implements PeerKeeper {
  readonly #parts: PeerKeeperDependencies;
  readonly #processId = randomUUID();
  /** Sessions whose peer was made here. The engine may have lost some of them since. */
  readonly #made = new Set<string>();
  /** Exchanges in progress. They decide themselves which process has the peer. */
  readonly #exchanging = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #unsubscribe: (() => void) | undefined;

  constructor(parts: PeerKeeperDependencies) {
    this.#parts = parts;
  }

  get peerCount(): number {
    return this.#parts.media.peerCount;
  }

  get readyProcesses(): number {
    return this.#parts.media.readyProcesses;
  }

  exchange(request: PeerRequest): Promise<PeerAnswer> {
    const { media, store, notices } = this.#parts;
    return this.#counted(request.sessionId, async () => {
      const answer = await media.exchange(request);
      this.#made.add(request.sessionId);
      await store.peers.take(request.sessionId, this.#processId);
      // This notice tells the previous owner that the peer is here now.
      notices.publish(request.sessionId);
      return answer;
    });
  }

  close(sessionId: string): void {
    this.#made.delete(sessionId);
    this.#parts.media.close(sessionId);
    // The peer may be in another process.
    this.#parts.notices.publish(sessionId);
  }

  announceRestart(): void {
    this.#parts.media.announceRestart();
  }

  check(): Promise<void> {
    return this.#check([...this.#made]);
  }

  start(): void {
    this.#unsubscribe ??= this.#parts.notices.subscribe((sessionId) => {
      if (sessionId === null) this.#checkInBackground([...this.#made]);
      else if (this.#made.has(sessionId)) this.#checkInBackground([sessionId]);
    });
    this.#timer ??= setInterval(() => this.#checkInBackground([...this.#made]), checkIntervalMs).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#unsubscribe?.();
    this.#timer = undefined;
    this.#unsubscribe = undefined;
    await this.#parts.media.stop();
  }

  async #check(sessionIds: string[]): Promise<void> {
    const { store, media, log } = this.#parts;
    const ours = new Set(await store.peers.held(this.#processId, sessionIds));
    for (const sessionId of sessionIds) {
      if (ours.has(sessionId) || this.#exchanging.has(sessionId) || !this.#made.delete(sessionId)) continue;
      log.info("peer closed", { session: sessionReference(sessionId) });
      media.close(sessionId);
    }
  }

  #checkInBackground(sessionIds: string[]): void {
    if (sessionIds.length === 0) return;
    this.#check(sessionIds).catch((error: unknown) =>
      this.#parts.log.error("peer check failed", { error: String(error) }),
    );
  }

  async #counted<Answer>(sessionId: string, exchange: () => Promise<Answer>): Promise<Answer> {
    this.#exchanging.set(sessionId, (this.#exchanging.get(sessionId) ?? 0) + 1);
    try {
      return await exchange();
    } finally {
      const left = (this.#exchanging.get(sessionId) ?? 1) - 1;
      if (left === 0) this.#exchanging.delete(sessionId);
      else this.#exchanging.set(sessionId, left);
    }
  }
}
