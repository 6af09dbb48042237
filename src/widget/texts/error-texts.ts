import type { VisavisLimit } from "../../protocol/visavis-error-code.ts";
import type { TextKey } from "./texts.ts";

/** Whether trying again can help after an error, by its code and the limit that was reached. */
export function canRetry(code: string, limit?: VisavisLimit): boolean {
  if (limit === "visitor" || limit === "day") return false;
  return !["context_not_found", "origin_not_allowed", "media_unsupported"].includes(code);
}

/** The text for each limit. */
const limitTexts: Readonly<Record<VisavisLimit, TextKey>> = {
  busy: "error_limit_busy",
  open: "error_limit_open",
  visitor: "error_limit_visitor",
  day: "error_limit_minutes",
  quota: "error_quota_exceeded",
};

/** The text for an error's code, and for the limit that was reached. A service of another kind may name none. */
export function errorText(code: string, limit?: VisavisLimit): TextKey {
  switch (code) {
    case "quota_exceeded":
      return limitTexts[limit ?? "quota"];
    case "context_not_found":
    case "context_inactive":
    case "origin_not_allowed":
    case "rate_limited":
    case "session_lost":
    case "connection_failed":
    case "media_unsupported":
    case "network":
      return `error_${code}`;
    default:
      return "error_start";
  }
}
