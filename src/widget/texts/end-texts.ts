import type { TextKey } from "./texts.ts";

/** Why a conversation ended, and whether starting again can help. */
interface EndWords {
  readonly text: TextKey;
  readonly again: boolean;
}

/** A lost session, or one that failed, is no end but an error: `error-texts.ts`. */
const endWords: Readonly<Record<string, EndWords>> = {
  idle: { text: "ended_idle", again: true },
  // All other ends of this kind are the owner's: the visitor's own end has its own reason.
  SESSION_EVENT_GRACEFUL_TERMINATION: { text: "ended_by_owner", again: true },
  SESSION_EVENT_SESSION_EXPIRED_BEFORE_CONNECTION: { text: "ended_expired", again: true },
  SESSION_EVENT_MAX_ACTIVE_SESSION_QUOTA_EXCEEDED: { text: "error_limit_busy", again: true },
  SESSION_EVENT_MAX_MIN_PER_SESSION_QUOTA_EXCEEDED: { text: "ended_time", again: true },
  SESSION_EVENT_TOTAL_MIN_PER_MONTH_QUOTA_EXCEEDED: { text: "error_quota_exceeded", again: false },
  SESSION_EVENT_INSUFFICIENT_CREDITS: { text: "error_quota_exceeded", again: false },
  SESSION_EVENT_DAY_LIMIT_REACHED: { text: "error_limit_minutes", again: false },
};

/** What visitors read of an end that was not their own; null for their own, and for what a page did. */
export function endOf(reason: string | undefined): EndWords | null {
  if (reason === undefined) return null;
  const known = Object.hasOwn(endWords, reason) ? endWords[reason] : undefined;
  return (
    known ?? (/^SESSION_EVENT_|^terminated$/.test(reason) ? { text: "ended_by_owner", again: true } : null)
  );
}
