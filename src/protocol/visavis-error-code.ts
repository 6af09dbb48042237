/** The codes of the event `visavis-error` (product contract, The element's contract). */
export const visavisErrorCodes = [
  "context_not_found",
  "context_inactive",
  "origin_not_allowed",
  "rate_limited",
  "quota_exceeded",
  "session_lost",
  "connection_failed",
  "media_unsupported",
  "microphone_denied",
  "microphone_unavailable",
  "engine_failed",
  "invalid_response",
  "invalid_content",
  "network",
] as const;

export type VisavisErrorCode = (typeof visavisErrorCodes)[number];

/**
 * The limit behind `quota_exceeded`. `busy`: as many conversations as may be are live. `open`: this visitor has as many open as
 * may be. `visitor`: this visitor's conversations for today are used up. `day`: today's minutes are. `quota`: the owner's are.
 */
export const visavisLimits = ["busy", "open", "visitor", "day", "quota"] as const;

export type VisavisLimit = (typeof visavisLimits)[number];
