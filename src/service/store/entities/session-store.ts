import type { CapabilityName } from "../../../protocol/catalogue.ts";
import type { SessionCreate } from "../../../protocol/session/session.ts";
import type { LiveStatus, SessionState } from "../../sessions/life/session-machine.ts";
import type { EventRecord } from "./events.ts";
import type { QuotaReason } from "./organizations.ts";

/** The part of a session that changes often. It is small, so that heartbeats are cheap. */
export interface SessionRecord {
  id: string;
  organizationId: string;
  /** UUID of the embed context it belongs to, if any. */
  contextUuid: string | null;
  /** Number of changes. A change is saved only if the stored session has the revision before it. */
  revision: number;
  state: SessionState;
  /** When the sweep must check the session; null when it has ended. */
  deadlineAtMs: number | null;
}

/** The request that created a session, with defaults for capability and paddings. */
export type SessionRequest = SessionCreate & {
  capability: CapabilityName[];
  padding_left: number;
  padding_top: number;
  padding_height: number;
};

/** The part of a session that is written once or twice. */
export interface SessionDetail {
  request: SessionRequest;
  clientSdp: string | null;
  serverSdp: string | null;
}

/** What is saved in one transaction with a change of a session. */
export interface ChangeCompanions {
  /**
   * Minutes in progress that began with the change, and the month (`2026-01`, UTC) in which they count. If `isOwed`, they
   * have been used already and count even beyond the quotas.
   */
  minutes?: { count: number; month: string; isOwed: boolean } | undefined;
  /** Whether the session takes or frees its place among the organization's active sessions. */
  place?: "taken" | "freed" | undefined;
  /** The month of the change (`2026-01`, UTC), whose quota applies when a place is taken. */
  month?: string | undefined;
  /** The event that was reported. */
  event?: EventRecord | undefined;
}

/** Sessions. */
export interface SessionStore {
  /**
   * Adds a session. A live one (with a deadline) counts as active, and quotas of the month (`2026-01`, UTC) may refuse it:
   * resolves with the reason, or null if the session was added.
   */
  insert(session: SessionRecord, detail: SessionDetail, month: string): Promise<QuotaReason | null>;
  byId(id: string): Promise<SessionRecord | null>;
  detail(id: string): Promise<SessionDetail | null>;
  /**
   * Saves a session together with its companions. Nothing is saved if the result is `stale` (the stored revision is not the
   * one before) or the reason of the quota that refuses the minutes or the place.
   */
  replace(session: SessionRecord, companions?: ChangeCompanions): Promise<"saved" | "stale" | QuotaReason>;
  saveDescriptions(id: string, clientSdp: string, serverSdp: string): Promise<void>;
  /** Number of sessions that have not ended, by status. */
  countLive(): Promise<Partial<Record<LiveStatus, number>>>;
  /** How many sessions began since a time, by the UUID of their context. Sessions that were never connected do not count. */
  countByContext(organizationId: string, sinceMs: number): Promise<Map<string, number>>;
  /** Live sessions whose context was removed or deactivated. */
  withoutContext(limit: number): Promise<SessionRecord[]>;
  /** Live sessions whose deadline has passed, earliest first, beginning after the session `after`. */
  due(nowMs: number, limit: number, after?: SessionRecord): Promise<SessionRecord[]>;
}

/** Which process has the peer connection of a session, if several processes share one store. */
export interface PeerStore {
  /** Records that the peer connection is in this process and in no other. */
  take(sessionId: string, process: string): Promise<void>;
  /** Those of the sessions that are live and whose peer connection is in this process. */
  held(process: string, sessionIds: readonly string[]): Promise<string[]>;
}
