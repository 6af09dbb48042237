/** What a page can be told by `visavis-error` (product contract, The element's contract). */
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
  "network",
] as const;

export type VisavisErrorCode = (typeof visavisErrorCodes)[number];
