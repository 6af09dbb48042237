import type { SessionStatus, TerminationReason } from "../../../protocol/session/session.ts";

/** The statuses of a session that has not ended. */
export type LiveStatus = Exclude<SessionStatus, "TERMINATED">;

/** The part of a session that changes during its life. Times are in ms since the Unix epoch. */
export interface SessionState {
  status: SessionStatus;
  terminationReason: TerminationReason | null;
  createdAtMs: number;
  inProgressAtMs: number | null;
  /**
   * The latest sign of life (heartbeat, ping, media, END). The lease starts here; duration and minutes are counted up to here.
   */
  lastSeenAtMs: number;
  /** When the client's peer connection closed, until a new one opens; null when none has closed. */
  peerClosedAtMs: number | null;
  /** When its page announced that it is going away, until the client is back; null when it did not. */
  leavingAtMs: number | null;
  /** Whether it counts as an active session of its organization. */
  holdsPlace: boolean;
  endedAtMs: number | null;
  /** How long it may be in progress, in seconds; 0 means that the session has no limit of its own. */
  maxSessionSec: number;
  /** Minutes in progress that the organization's quotas have granted. Each minute is bought by its first sign of life. */
  boughtMin: number;
}

/** An event that may change a session's state. */
export type SessionTrigger =
  | { type: "exchanged" }
  /** SESSION_START, or the peer connection reached `connected`. */
  | { type: "connected"; by: "event" | "peer" }
  /** A heartbeat, a ping or media of the peer connection, or a call of one of the session's operations. */
  | { type: "alive"; by: "event" | "peer" | "call" }
  /** The client closed its peer connection, or it failed for good. */
  | { type: "peer-closed" }
  /** The client's page is going away. It may come back, such as after a reload. */
  | { type: "leave" }
  /** `client`: the client ends its session, which shows that it is present. `service`: the client may be gone. */
  | { type: "end"; reason: TerminationReason; by: "client" | "service" }
  /** Time has passed. `expireLeases` is false right after a start, because clients had no chance to send a sign of life. */
  | { type: "tick"; expireLeases: boolean };

/** How long sessions may wait, in seconds. */
export interface LeasePolicy {
  connectWithinSec: number;
  lostAfterSec: number;
}

const minuteMs = 60_000;

/** How long a client may take to connect again after its peer closed. After that, others may take its place. */
const placeAfterPeerMs = 10_000;

/** How long a page that announced its leave may take to come back. */
export const returnWithinMs = 10_000;

interface Deadline {
  atMs: number;
  reason: TerminationReason;
}

function leaseDeadline(state: SessionState, policy: LeasePolicy): Deadline {
  if (state.leavingAtMs !== null)
    return { atMs: state.leavingAtMs + returnWithinMs, reason: "GRACEFUL_TERMINATION" };
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

/** Whole seconds, rounded up, until the session's own time is used up; undefined if it has no such limit or is not in progress. */
export function timeLeftSec(state: SessionState, nowMs: number): number | undefined {
  const quota = state.status === "IN_PROGRESS" ? quotaDeadline(state) : null;
  return quota === null ? undefined : Math.max(0, Math.ceil((quota.atMs - nowMs) / 1000));
}

/** When the place of a session with a closed peer becomes free; null if it has a peer, never had one, or has no place. */
function placeDeadlineMs({ peerClosedAtMs, holdsPlace }: SessionState): number | null {
  return peerClosedAtMs === null || !holdsPlace ? null : peerClosedAtMs + placeAfterPeerMs;
}

/**
 * When the session must be checked again if nothing more happens: it then ends, or its place becomes free. Null when it has
 * ended.
 */
export function sessionDeadlineMs(state: SessionState, policy: LeasePolicy): number | null {
  if (state.status === "TERMINATED") return null;
  return Math.min(
    leaseDeadline(state, policy).atMs,
    quotaDeadline(state)?.atMs ?? Infinity,
    placeDeadlineMs(state) ?? Infinity,
  );
}

/** Minutes in progress up to the last sign of life. Each started minute counts; the first starts at once. */
function startedMinutes({ inProgressAtMs, lastSeenAtMs }: SessionState): number {
  return inProgressAtMs === null ? 0 : Math.max(1, Math.ceil((lastSeenAtMs - inProgressAtMs) / minuteMs));
}

/** The state after a sign of life at this time, with the minutes that it needs. */
function seen(state: SessionState, nowMs: number): SessionState {
  const lastSeenAtMs = Math.max(state.lastSeenAtMs, nowMs);
  const boughtMin = Math.max(state.boughtMin, startedMinutes({ ...state, lastSeenAtMs }));
  return lastSeenAtMs === state.lastSeenAtMs && boughtMin === state.boughtMin
    ? state
    : { ...state, lastSeenAtMs, boughtMin };
}

/** The state with a client that has a peer connection. */
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

/** Whether the trigger shows that the client is present. */
function isSignOfLife(trigger: SessionTrigger): boolean {
  if (trigger.type === "end") return trigger.by === "client";
  return trigger.type !== "tick" && trigger.type !== "peer-closed" && trigger.type !== "leave";
}

function afterTick(
  state: SessionState,
  expireLeases: boolean,
  nowMs: number,
  policy: LeasePolicy,
): SessionState {
  const lease = leaseDeadline(state, policy);
  // The session ends when the lease ran out, not when somebody checked.
  if (nowMs >= lease.atMs && expireLeases) return terminated(state, lease.reason, lease.atMs);
  const place = placeDeadlineMs(state);
  return place !== null && nowMs >= place ? { ...state, holdsPlace: false } : state;
}

function afterAlive(state: SessionState, by: "event" | "peer" | "call", nowMs: number): SessionState {
  const alive = seen(state, nowMs);
  // Packets of the page that is leaving may arrive after its announcement.
  if (by === "peer") return state.leavingAtMs === null ? withPeer(alive) : state;
  // A client that continues without a peer after its place was freed needs a place again. A heartbeat does not need one.
  return by === "call" && !alive.holdsPlace ? withPeer(alive) : alive;
}

/**
 * The state of a session after a trigger (interface specification, States and transitions; wire conventions, States). Returns the
 * same object when nothing changes. TERMINATED is final.
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
  return afterTrigger(returned(state, trigger), trigger, nowMs, policy);
}

/** The state after a trigger that shows that the client is back. */
function returned(state: SessionState, trigger: SessionTrigger): SessionState {
  const isBack = isSignOfLife(trigger) && !("by" in trigger && trigger.by === "peer");
  return state.leavingAtMs !== null && isBack ? { ...state, leavingAtMs: null } : state;
}

function afterTrigger(
  state: SessionState,
  trigger: SessionTrigger,
  nowMs: number,
  policy: LeasePolicy,
): SessionState {
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
    case "leave":
      return state.leavingAtMs === null ? { ...seen(state, nowMs), leavingAtMs: nowMs } : state;
    case "peer-closed":
      return state.peerClosedAtMs === null ? { ...state, peerClosedAtMs: nowMs } : state;
  }
}

/** The state of a session whose quota refuses it a minute or a place. The session ends when its bought time ended. */
export function refusedSessionState(
  state: SessionState,
  reason: TerminationReason,
  nowMs: number,
): SessionState {
  const { inProgressAtMs, boughtMin } = state;
  const endedAtMs = inProgressAtMs === null ? nowMs : Math.min(nowMs, inProgressAtMs + boughtMin * minuteMs);
  // Only a sign of life needs a minute or a place.
  return terminated(seen(state, endedAtMs), reason, endedAtMs);
}

/** The calendar month (UTC) that a minute counts towards, such as `2026-01`. */
export function monthOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 7);
}

/** The minutes that a state change bought, to be saved together with it; undefined when there are none. */
export function boughtMinutes(
  before: SessionState,
  after: SessionState,
): { count: number; month: string; isOwed: boolean } | undefined {
  const count = after.boughtMin - before.boughtMin;
  if (count <= 0 || after.inProgressAtMs === null) return undefined;
  const firstBeganAtMs = after.inProgressAtMs + before.boughtMin * minuteMs;
  return { count, month: monthOf(firstBeganAtMs), isOwed: after.status === "TERMINATED" };
}

/** How a state change affects the organization's count of active sessions; undefined if it does not. */
export function placeChange(before: SessionState, after: SessionState): "taken" | "freed" | undefined {
  if (before.holdsPlace === after.holdsPlace) return undefined;
  return after.holdsPlace ? "taken" : "freed";
}

/** Whole seconds in progress, up to the last sign of life (interface: `duration_sec`). */
export function sessionDurationSec({ inProgressAtMs, lastSeenAtMs }: SessionState): number {
  return inProgressAtMs === null ? 0 : Math.max(0, Math.floor((lastSeenAtMs - inProgressAtMs) / 1000));
}
