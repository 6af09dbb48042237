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
/** The kinds by which a client says that it is there, and whose answers it reads. */
export const heartbeatKinds: ReadonlySet<SessionEventKind> = new Set(["SESSION_START", "SESSION_DURING"]);

/** Why a session must end, as stated in the answer to an event. */
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

/**
 * The answer to an event create. `terminate: true` is final: the client ends the session with the reason. `time_left_sec` (an
 * extension of ours): the seconds until the session's time is used up; absent without such a limit. `people` (another one):
 * how many are there who may join the conversation; …/person/ tells more.
 */
export const sessionEventSchema = z.object({
  sessionevent_id: z.string(),
  event: z.enum(sessionEventKinds),
  detail: z.nullable(z.string()),
  file: z.nullable(z.string()),
  created_at: z.string(),
  terminate: z.boolean(),
  terminate_reason: z.nullable(z.enum(eventTerminateReasons)),
  time_left_sec: z.optional(z.number()),
  people: z.optional(z.number()),
});
export type SessionEvent = z.infer<typeof sessionEventSchema>;

/** The relay's own reason: the context's minutes of the day are used up. */
export const dayLimitReason = "SESSION_EVENT_DAY_LIMIT_REACHED";

/**
 * What a client needs of the answer to an event. Reasons are any text here: a service that adds one still ends its sessions.
 */
export const eventOutcomeSchema = z.object({
  terminate: z.boolean(),
  terminate_reason: z.nullable(z.string()),
  time_left_sec: z.optional(z.number()),
  people: z.optional(z.number()),
});
export type EventOutcome = z.infer<typeof eventOutcomeSchema>;
