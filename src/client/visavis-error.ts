import type { VisavisErrorCode } from "../protocol/visavis-error-code.ts";

/** What the client throws and tells: a `code` to act on, a message to read, and the cause where there is one. */
export class VisavisError extends Error {
  override readonly name = "VisavisError";
  readonly code: VisavisErrorCode;

  constructor(code: VisavisErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }

  /** The error itself when it is one of ours, else one with the given code and the original as its cause. */
  static from(error: unknown, code: VisavisErrorCode, message: string): VisavisError {
    return error instanceof VisavisError ? error : new VisavisError(code, message, error);
  }

  /** No media path came about, or it could not be brought back. */
  static connectionFailed(cause?: unknown): VisavisError {
    return new VisavisError("connection_failed", "The avatar could not be reached. Try again.", cause);
  }

  /** The service no longer has the session. */
  static sessionLost(cause?: unknown): VisavisError {
    return new VisavisError("session_lost", "The session was lost. Start a new one.", cause);
  }
}
