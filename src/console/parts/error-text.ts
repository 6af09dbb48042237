import { ApiError } from "../api/api-error.ts";
import { texts } from "../texts/texts.ts";

/** What a failure means, and what to do, in the console's language. The server's own reason is shown where it says more. */
export function errorText(error: unknown): string {
  const { errors } = texts;
  if (!(error instanceof ApiError)) return errors.unexpected;
  switch (error.code) {
    case "network":
      return errors.network;
    case "expired":
      return errors.expired;
    case "wrong_password":
      return errors.wrongPassword(error.attemptsLeft);
    case "forbidden":
      return errors.forbidden;
    case "not_found":
      return errors.notFound;
    case "conflict":
      return errors.conflict;
    case "too_large":
      return errors.tooLarge;
    case "rate_limited":
      return errors.rateLimited(error.retryAfterSec);
    case "invalid":
      return error.message || errors.invalid;
    case "server":
      return errors.server;
    case "unreadable":
      return errors.unreadable;
  }
}
