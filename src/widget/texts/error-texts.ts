import type { TextKey } from "./texts.ts";

/** Whether trying again can help after an error, by its code. */
export function canRetry(code: string): boolean {
  return !["context_not_found", "origin_not_allowed", "media_unsupported"].includes(code);
}

/** The text for an error's code. */
export function errorText(code: string): TextKey {
  switch (code) {
    case "context_not_found":
    case "context_inactive":
    case "origin_not_allowed":
    case "rate_limited":
    case "quota_exceeded":
    case "session_lost":
    case "connection_failed":
    case "media_unsupported":
    case "network":
      return `error_${code}`;
    default:
      return "error_start";
  }
}
