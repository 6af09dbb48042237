import type { SessionStatus, TerminationReason } from "../../protocol/session.ts";

/** The statuses of a session that has not ended. */
export type LiveStatus = Exclude<SessionStatus, "TERMINATED">;

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
  /** Minutes in progress that its organization's quotas have given it: each is bought when it begins. */
  boughtMin: number;
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

const minuteMs = 60_000;

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

/** When the minutes that were bought are used up; never while the session is not in progress. */
function boughtUntilMs({ inProgressAtMs, boughtMin }: SessionState): number {
  return inProgressAtMs === null ? Infinity : inProgressAtMs + boughtMin * minuteMs;
}

/**
 * When the session must be looked at if nothing more is heard of it: it ends then, or needs its next minute. Null when it
 * has ended.
 */
export function sessionDeadlineMs(state: SessionState, policy: LeasePolicy): number | null {
  if (state.status === "TERMINATED") return null;
  return Math.min(
    leaseDeadline(state, policy).atMs,
    quotaDeadline(state)?.atMs ?? Infinity,
    boughtUntilMs(state),
  );
}

function terminated(state: SessionState, reason: TerminationReason, endedAtMs: number): SessionState {
  const usedMs = state.inProgressAtMs === null ? 0 : endedAtMs - state.inProgressAtMs;
  return {
    ...state,
    status: "TERMINATED",
    terminationReason: reason,
    endedAtMs,
    boughtMin: Math.max(state.boughtMin, Math.ceil(usedMs / minuteMs)),
  };
}

/** With every minute that has begun by now. */
function withStartedMinutes(state: SessionState, nowMs: number): SessionState {
  if (state.inProgressAtMs === null || nowMs < boughtUntilMs(state)) return state;
  return { ...state, boughtMin: Math.floor((nowMs - state.inProgressAtMs) / minuteMs) + 1 };
}

function afterTick(
  state: SessionState,
  expireLeases: boolean,
  nowMs: number,
  policy: LeasePolicy,
): SessionState {
  const lease = leaseDeadline(state, policy);
  // Nobody buys time for a session that may be lost.
  if (nowMs < lease.atMs) return withStartedMinutes(state, nowMs);
  // The end is where the lease ran out, not where somebody looked: durations stay right over a restart.
  return expireLeases ? terminated(state, lease.reason, lease.atMs) : state;
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
      return withStartedMinutes(
        { ...state, status: state.status === "CREATED" ? "EXCHANGED" : state.status, lastSeenAtMs: nowMs },
        nowMs,
      );
    case "connected":
      return withStartedMinutes(
        {
          ...state,
          status: "IN_PROGRESS",
          inProgressAtMs: state.inProgressAtMs ?? nowMs,
          lastSeenAtMs: nowMs,
        },
        nowMs,
      );
    case "alive":
      return withStartedMinutes(
        state.lastSeenAtMs === nowMs ? state : { ...state, lastSeenAtMs: nowMs },
        nowMs,
      );
  }
}

/** The state of a session whose next minute is not to be had: it ends where its bought time did. */
export function unpaidSessionState(
  state: SessionState,
  reason: TerminationReason,
  nowMs: number,
): SessionState {
  return terminated(state, reason, Math.min(nowMs, boughtUntilMs(state)));
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

/** Whole seconds in progress, until the end or until now (interface: `duration_sec`). */
export function sessionDurationSec(state: SessionState, nowMs: number): number {
  if (state.inProgressAtMs === null) return 0;
  return Math.max(0, Math.floor(((state.endedAtMs ?? nowMs) - state.inProgressAtMs) / 1000));
}
