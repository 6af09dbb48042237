import type { VisavisErrorCode, VisavisLimit } from "../protocol/visavis-error-code.ts";

/** The client's error: a `code` for programs, a message for people, and the cause if there is one. */
export class VisavisError extends Error {
  override readonly name = "VisavisError";
  readonly code: VisavisErrorCode;
  /** Which limit was reached, with the code `quota_exceeded`. */
  declare limit?: VisavisLimit;

  constructor(code: VisavisErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }

  /** The error itself if it is a VisavisError, otherwise a new one with the given code and the original as its cause. */
  static from(error: unknown, code: VisavisErrorCode, message: string): VisavisError {
    return error instanceof VisavisError ? error : new VisavisError(code, message, error);
  }

  /** No media connection was made, or it could not be recovered. */
  static connectionFailed(cause?: unknown): VisavisError {
    return new VisavisError("connection_failed", "The avatar could not be reached. Try again.", cause);
  }

  /** The service no longer has the session. */
  static sessionLost(cause?: unknown): VisavisError {
    return new VisavisError("session_lost", "The session was lost. Start a new one.", cause);
  }
}
