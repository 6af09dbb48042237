import type { SessionStatus, TerminationReason } from "../../protocol/session.ts";

/** The part of a session that changes as it lives. Times are ms since the Unix epoch. */
export interface SessionState {
  status: SessionStatus;
  terminationReason: TerminationReason | null;
  createdAtMs: number;
  inProgressAtMs: number | null;
  /** The latest sign of life; the lease runs from here. */
  lastSeenAtMs: number;
  endedAtMs: number | null;
  /** The longest it may be in progress; 0 means no limit of its own. */
  maxSessionSec: number;
}

/** What happens to a session. */
export type SessionTrigger =
  | { type: "exchanged" }
  /** SESSION_START, or the peer connection reached `connected`. */
  | { type: "connected" }
  /** A heartbeat, a ping, media, or any other call that shows the client is there. */
  | { type: "alive" }
  | { type: "end"; reason: TerminationReason }
  /** Time passed. `expireLeases` is false right after a start, when clients had no chance to show life. */
  | { type: "tick"; expireLeases: boolean };

/** How long sessions may wait, in seconds. */
export interface LeasePolicy {
  connectWithinSec: number;
  lostAfterSec: number;
}

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

/** When the session ends if nothing more is heard of it; null when it has ended. */
export function sessionDeadlineMs(state: SessionState, policy: LeasePolicy): number | null {
  if (state.status === "TERMINATED") return null;
  return Math.min(leaseDeadline(state, policy).atMs, quotaDeadline(state)?.atMs ?? Infinity);
}

function terminated(state: SessionState, reason: TerminationReason, endedAtMs: number): SessionState {
  return { ...state, status: "TERMINATED", terminationReason: reason, endedAtMs };
}

function afterTick(
  state: SessionState,
  expireLeases: boolean,
  nowMs: number,
  policy: LeasePolicy,
): SessionState {
  const lease = leaseDeadline(state, policy);
  // The end is where the lease ran out, not where somebody looked: durations stay right over a restart.
  return expireLeases && nowMs >= lease.atMs ? terminated(state, lease.reason, lease.atMs) : state;
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
  if (quota !== null && nowMs >= quota.atMs) return terminated(state, quota.reason, quota.atMs);
  switch (trigger.type) {
    case "tick":
      return afterTick(state, trigger.expireLeases, nowMs, policy);
    case "end":
      return terminated(state, trigger.reason, nowMs);
    case "exchanged":
      return {
        ...state,
        status: state.status === "CREATED" ? "EXCHANGED" : state.status,
        lastSeenAtMs: nowMs,
      };
    case "connected":
      return {
        ...state,
        status: "IN_PROGRESS",
        inProgressAtMs: state.inProgressAtMs ?? nowMs,
        lastSeenAtMs: nowMs,
      };
    case "alive":
      return state.lastSeenAtMs === nowMs ? state : { ...state, lastSeenAtMs: nowMs };
  }
}

/** Whole seconds in progress, until the end or until now (interface: `duration_sec`). */
export function sessionDurationSec(state: SessionState, nowMs: number): number {
  if (state.inProgressAtMs === null) return 0;
  return Math.max(0, Math.floor(((state.endedAtMs ?? nowMs) - state.inProgressAtMs) / 1000));
}
