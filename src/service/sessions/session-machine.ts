import type { SessionStatus, TerminationReason } from "../../protocol/session.ts";

/** The statuses of a session that has not ended. */
export type LiveStatus = Exclude<SessionStatus, "TERMINATED">;

/** The part of a session that changes as it lives. Times are ms since the Unix epoch. */
export interface SessionState {
  status: SessionStatus;
  terminationReason: TerminationReason | null;
  createdAtMs: number;
  inProgressAtMs: number | null;
  /** The latest sign of life (heartbeat, ping, media, END): the lease runs from here, time and minutes count to here. */
  lastSeenAtMs: number;
  /** When the client's peer connection closed, until another one comes; null where none has closed. */
  peerClosedAtMs: number | null;
  /** Whether it counts as one of its organization's active sessions. */
  holdsPlace: boolean;
  endedAtMs: number | null;
  /** The longest it may be in progress; 0 means no limit of its own. */
  maxSessionSec: number;
  /** Minutes in progress that its organization's quotas have given it: each is bought by its first sign of life. */
  boughtMin: number;
}

/** What happens to a session. */
export type SessionTrigger =
  | { type: "exchanged" }
  /** SESSION_START, or the peer connection reached `connected`. */
  | { type: "connected"; by: "event" | "peer" }
  /** A heartbeat; a ping or media of the peer connection; or a call of one of the session's operations. */
  | { type: "alive"; by: "event" | "peer" | "call" }
  /** The client closed its peer connection, or it failed for good. */
  | { type: "peer-closed" }
  /** A client that ends its session is there to do so; the service ends those of clients that may be gone. */
  | { type: "end"; reason: TerminationReason; by: "client" | "service" }
  /** Time passed. `expireLeases` is false right after a start, when clients had no chance to show life. */
  | { type: "tick"; expireLeases: boolean };

/** How long sessions may wait, in seconds. */
export interface LeasePolicy {
  connectWithinSec: number;
  lostAfterSec: number;
}

const minuteMs = 60_000;

/** A client whose peer closed has so long to come with another; then others may have its place. */
const placeAfterPeerMs = 10_000;

interface Deadline {
  atMs: number;
  reason: TerminationReason;
}

function leaseDeadline(state: SessionState, policy: LeasePolicy): Deadline {
  return state.inProgressAtMs === null
    ? {
        atMs: state.createdAtMs + policy.connectWithinSec * 1000,
        reason: "SESSION_EXPIRED_BEFORE_CONNECTION",
      }
    : { atMs: state.lastSeenAtMs + policy.lostAfterSec * 1000, reason: "SESSION_LOST_AFTER_CONNECTION" };
}

function quotaDeadline(state: SessionState): Deadline | null {
  if (state.inProgressAtMs === null || state.maxSessionSec === 0) return null;
  return {
    atMs: state.inProgressAtMs + state.maxSessionSec * 1000,
    reason: "MAX_MIN_PER_SESSION_QUOTA_EXCEEDED",
  };
}

/** When the place becomes free of a session whose peer closed; null while it has a peer, never had one, or has no place. */
function placeDeadlineMs({ peerClosedAtMs, holdsPlace }: SessionState): number | null {
  return peerClosedAtMs === null || !holdsPlace ? null : peerClosedAtMs + placeAfterPeerMs;
}

/**
 * When the session must be looked at if nothing more is heard of it: it ends then, or its place becomes free. Null when it
 * has ended.
 */
export function sessionDeadlineMs(state: SessionState, policy: LeasePolicy): number | null {
  if (state.status === "TERMINATED") return null;
  return Math.min(
    leaseDeadline(state, policy).atMs,
    quotaDeadline(state)?.atMs ?? Infinity,
    placeDeadlineMs(state) ?? Infinity,
  );
}

/** Minutes in progress up to the last sign of life, each that has begun; the first begins at once. */
function startedMinutes({ inProgressAtMs, lastSeenAtMs }: SessionState): number {
  return inProgressAtMs === null ? 0 : Math.max(1, Math.ceil((lastSeenAtMs - inProgressAtMs) / minuteMs));
}

/** With a sign of life at this time, and the minutes that it needs. */
function seen(state: SessionState, nowMs: number): SessionState {
  const lastSeenAtMs = Math.max(state.lastSeenAtMs, nowMs);
  const boughtMin = Math.max(state.boughtMin, startedMinutes({ ...state, lastSeenAtMs }));
  return lastSeenAtMs === state.lastSeenAtMs && boughtMin === state.boughtMin
    ? state
    : { ...state, lastSeenAtMs, boughtMin };
}

/** With a client that has a peer connection. */
function withPeer(state: SessionState): SessionState {
  return state.peerClosedAtMs === null && state.holdsPlace
    ? state
    : { ...state, peerClosedAtMs: null, holdsPlace: true };
}

function terminated(state: SessionState, reason: TerminationReason, endedAtMs: number): SessionState {
  return {
    ...state,
    status: "TERMINATED",
    terminationReason: reason,
    endedAtMs,
    holdsPlace: false,
  };
}

/** Whether the trigger shows that the client was there. */
function isSignOfLife(trigger: SessionTrigger): boolean {
  if (trigger.type === "end") return trigger.by === "client";
  return trigger.type !== "tick" && trigger.type !== "peer-closed";
}

function afterTick(
  state: SessionState,
  expireLeases: boolean,
  nowMs: number,
  policy: LeasePolicy,
): SessionState {
  const lease = leaseDeadline(state, policy);
  // The end is where the lease ran out, not where somebody looked.
  if (nowMs >= lease.atMs && expireLeases) return terminated(state, lease.reason, lease.atMs);
  const place = placeDeadlineMs(state);
  return place !== null && nowMs >= place ? { ...state, holdsPlace: false } : state;
}

function afterAlive(state: SessionState, by: "event" | "peer" | "call", nowMs: number): SessionState {
  const alive = seen(state, nowMs);
  if (by === "peer") return withPeer(alive);
  // Whoever goes on without a peer after its place was freed needs one again; a heartbeat asks for nothing.
  return by === "call" && !alive.holdsPlace ? withPeer(alive) : alive;
}

/**
 * The state of a session after something happened to it (interface specification, States and transitions; wire
 * conventions, States). Returns the same object when nothing changes. TERMINATED is final.
 */
export function nextSessionState(
  state: SessionState,
  trigger: SessionTrigger,
  nowMs: number,
  policy: LeasePolicy,
): SessionState {
  if (state.status === "TERMINATED") return state;
  const quota = quotaDeadline(state);
  if (quota !== null && nowMs >= quota.atMs) {
    const last = isSignOfLife(trigger) ? seen(state, quota.atMs) : state;
    return terminated(last, quota.reason, quota.atMs);
  }
  switch (trigger.type) {
    case "tick":
      return afterTick(state, trigger.expireLeases, nowMs, policy);
    case "end":
      return terminated(trigger.by === "client" ? seen(state, nowMs) : state, trigger.reason, nowMs);
    case "exchanged":
      return withPeer(
        seen({ ...state, status: state.status === "CREATED" ? "EXCHANGED" : state.status }, nowMs),
      );
    case "connected": {
      const inProgressAtMs = state.inProgressAtMs ?? nowMs;
      const started = seen({ ...state, status: "IN_PROGRESS", inProgressAtMs }, nowMs);
      return trigger.by === "peer" ? withPeer(started) : started;
    }
    case "alive":
      return afterAlive(state, trigger.by, nowMs);
    case "peer-closed":
      return state.peerClosedAtMs === null ? { ...state, peerClosedAtMs: nowMs } : state;
  }
}

/** The state of a session whose quota refuses it a minute or a place: it ends where its bought time did. */
export function refusedSessionState(
  state: SessionState,
  reason: TerminationReason,
  nowMs: number,
): SessionState {
  const { inProgressAtMs, boughtMin } = state;
  const endedAtMs = inProgressAtMs === null ? nowMs : Math.min(nowMs, inProgressAtMs + boughtMin * minuteMs);
  // Only a sign of life asks for a minute or a place.
  return terminated(seen(state, endedAtMs), reason, endedAtMs);
}

/** The calendar month (UTC) that a minute counts in, such as `2026-01`. */
export function monthOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 7);
}

/** The minutes that a change of state bought, to be saved together with it; undefined where there are none. */
export function boughtMinutes(
  before: SessionState,
  after: SessionState,
): { count: number; month: string; isOwed: boolean } | undefined {
  const count = after.boughtMin - before.boughtMin;
  if (count <= 0 || after.inProgressAtMs === null) return undefined;
  const firstBeganAtMs = after.inProgressAtMs + before.boughtMin * minuteMs;
  return { count, month: monthOf(firstBeganAtMs), isOwed: after.status === "TERMINATED" };
}

/** What a change of state does to the organization's active sessions; undefined where it leaves them as they are. */
export function placeChange(before: SessionState, after: SessionState): "taken" | "freed" | undefined {
  if (before.holdsPlace === after.holdsPlace) return undefined;
  return after.holdsPlace ? "taken" : "freed";
}

/** Whole seconds in progress, up to the last sign of life (interface: `duration_sec`). */
export function sessionDurationSec({ inProgressAtMs, lastSeenAtMs }: SessionState): number {
  return inProgressAtMs === null ? 0 : Math.max(0, Math.floor((lastSeenAtMs - inProgressAtMs) / 1000));
}
