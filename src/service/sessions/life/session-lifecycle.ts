import { LRUCache } from "lru-cache";
import type { EventRecord, SessionRecord, Store } from "../../store/store.ts";
import { sessionReference } from "../../../logging/logger.ts";
import type { MediaEngine } from "../../media/media-engine.ts";
import type { ServiceMetrics } from "../../metrics/metrics.ts";
import type { SessionNotices } from "./session-notices.ts";
import type { WebhookEvents } from "../../webhooks/webhook-events.ts";
import { type ConversationRecorder, createConversationRecorder } from "../events/conversation-record.ts";
import type { SessionDependencies } from "../session-dependencies.ts";
import {
  boughtMinutes,
  monthOf,
  nextSessionState,
  placeChange,
  refusedSessionState,
  sessionDeadlineMs,
  sessionDurationSec,
  type SessionState,
  type SessionTrigger,
} from "./session-machine.ts";

/** The number of sessions kept; each takes about 400 bytes. */
const remembered = 50_000;

/**
 * Live sessions as this process saved them last, so that a heartbeat does not have to read what the previous heartbeat wrote.
 * Another process may have changed a session since. In that case, saving fails and the session is read again.
 */
class RecentSessions {
  /** With `max`, an empty cache would already take the memory and the time of a full one. */
  readonly #sessions = new LRUCache<string, SessionRecord>({ maxSize: remembered, sizeCalculation: () => 1 });

  get(sessionId: string): SessionRecord | undefined {
    return this.#sessions.get(sessionId);
  }

  /** Keeps a saved session, unless it has ended: an ended session does not change any more. */
  keep(session: SessionRecord): void {
    if (session.deadlineAtMs === null) this.#sessions.delete(session.id);
    else this.#sessions.set(session.id, session);
  }

  forget(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }
}

/** Creates the event for a change, from the state after the change. */
type EventMaker = (state: SessionState) => EventRecord;

interface ApplyOptions {
  /** The session, if the caller has already read it. */
  known?: SessionRecord | null;
  /** Creates an event that is stored together with the change, or alone when nothing changes. */
  record?: EventMaker;
}

/** Applies triggers to sessions, one compare-and-set at a time. */
export interface SessionLifecycle {
  /** Applies a trigger. Resolves with the session after it; null when there is no session with that id. */
  apply(sessionId: string, trigger: SessionTrigger, options?: ApplyOptions): Promise<SessionRecord | null>;
  /** Applies a trigger from a caller that cannot wait or fail, such as a media hook. */
  applyInBackground(sessionId: string, trigger: SessionTrigger): void;
}

/** Dependencies for changing sessions and reporting the changes. */
interface LifecycleParts extends Pick<SessionDependencies, "clock" | "log" | "settings"> {
  store: Pick<Store, "sessions" | "events" | "conversations" | "contexts" | "live">;
  /** Told when a conversation begins or ends. */
  notices?: Pick<SessionNotices, "publish">;
  /** Tells owners that a conversation ended. Without it, nobody is told. */
  webhooks?: WebhookEvents;
  media: Pick<MediaEngine, "close">;
  metrics: Pick<ServiceMetrics, "sessionEnded">;
  /** Called when a session has ended. */
  ended?: (sessionId: string) => void;
}

/** The lifecycle of the sessions in a store. */
export function createSessionLifecycle(parts: LifecycleParts): SessionLifecycle {
  return new StoredLifecycle(parts);
}

class StoredLifecycle implements SessionLifecycle {
  readonly #parts: LifecycleParts;
  readonly #recent = new RecentSessions();
  readonly #conversations: Pick<ConversationRecorder, "statusChanged">;

  constructor(parts: LifecycleParts) {
    this.#parts = parts;
    this.#conversations = createConversationRecorder(parts);
  }

  async apply(
    sessionId: string,
    trigger: SessionTrigger,
    { known = null, record }: ApplyOptions = {},
  ): Promise<SessionRecord | null> {
    const { clock, store, settings } = this.#parts;
    let session = known ?? this.#recent.get(sessionId) ?? (await store.sessions.byId(sessionId));
    while (session !== null) {
      const isRecent = session === this.#recent.get(sessionId);
      const state = nextSessionState(session.state, trigger, clock.nowMs(), settings);
      if (state !== session.state) {
        const saved = await this.#save(session, state, record);
        if (saved) return saved;
        // Another process changed the session. The trigger is applied to its new state.
      } else if (!isRecent) {
        if (record) await store.events.insert(record(state));
        return session;
      }
      this.#recent.forget(sessionId);
      session = await store.sessions.byId(sessionId);
    }
    return null;
  }

  applyInBackground(sessionId: string, trigger: SessionTrigger): void {
    const { media, log } = this.#parts;
    this.apply(sessionId, trigger).then(
      (session) => {
        if (trigger.type === "peer-closed") return;
        if (session === null || session.state.status === "TERMINATED") media.close(sessionId);
      },
      (error: unknown) => {
        log.error("session trigger failed", { session: sessionReference(sessionId), error: String(error) });
      },
    );
  }

  /** Saves one change; null when another process has changed the session in the meantime. */
  async #save(
    before: SessionRecord,
    state: SessionState,
    record?: EventMaker,
  ): Promise<SessionRecord | null> {
    const { clock, store, settings } = this.#parts;
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
      return this.#save(before, refusedSessionState(before.state, outcome, clock.nowMs()), record);
    this.#recent.keep(next);
    this.#report(before.state, next);
    return next;
  }

  #report(before: SessionState, session: SessionRecord): void {
    const { id, state } = session;
    if (state.status === before.status) return;
    this.#conversations.statusChanged(session);
    const { log, media, metrics, ended } = this.#parts;
    log.info("session status", {
      session: sessionReference(id),
      from: before.status,
      to: state.status,
      reason: state.terminationReason,
      duration_sec: sessionDurationSec(state),
    });
    if (state.status !== "TERMINATED") return;
    media.close(id);
    ended?.(id);
    if (state.terminationReason) metrics.sessionEnded(state.terminationReason);
  }
}
