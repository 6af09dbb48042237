import * as z from "zod/mini";

/** Kinds of lifecycle events a client reports (interface specification, Events). */
export const sessionEventKinds = [
  "SESSION_START",
  "SESSION_DURING",
  "SESSION_END",
  "SESSION_ERROR",
  "SESSION_LOG",
  "SESSION_TTS",
  "SESSION_STT",
  "SESSION_LLM",
  "SESSION_DASHBOARD",
  "SESSION_WS_LOG",
  "SESSION_WS_ERROR",
] as const;
export type SessionEventKind = (typeof sessionEventKinds)[number];

/** Why a session is to end, as an event's answer says it. */
export const eventTerminateReasons = [
  "SESSION_EVENT_GRACEFUL_TERMINATION",
  "SESSION_EVENT_SESSION_EXPIRED_BEFORE_CONNECTION",
  "SESSION_EVENT_SESSION_LOST_AFTER_CONNECTION",
  "SESSION_EVENT_MISC_ERROR",
  "SESSION_EVENT_MAX_ACTIVE_SESSION_QUOTA_EXCEEDED",
  "SESSION_EVENT_MAX_MIN_PER_SESSION_QUOTA_EXCEEDED",
  "SESSION_EVENT_TOTAL_MIN_PER_MONTH_QUOTA_EXCEEDED",
  "SESSION_EVENT_INSUFFICIENT_CREDITS",
] as const;
export type EventTerminateReason = (typeof eventTerminateReasons)[number];

/** The answer to an event create. `terminate: true` is final: the client ends the session with the reason. */
export const sessionEventSchema = z.object({
  sessionevent_id: z.string(),
  event: z.enum(sessionEventKinds),
  detail: z.nullable(z.string()),
  file: z.nullable(z.string()),
  created_at: z.string(),
  terminate: z.boolean(),
  terminate_reason: z.nullable(z.enum(eventTerminateReasons)),
});
export type SessionEvent = z.infer<typeof sessionEventSchema>;
