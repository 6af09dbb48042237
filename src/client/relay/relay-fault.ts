import type { VisavisErrorCode } from "../../protocol/visavis-error-code.ts";
import { VisavisError } from "../visavis-error.ts";

/** What a request was for. The same status means different things for different requests. */
export type RelayPurpose = "context" | "create" | "session";

/** An unsuccessful response of the relay. */
export class RelayFault extends VisavisError {
  readonly status: number;
  /** How long to wait before the next request, in ms, by the rate limit's reset; 0 if the relay did not say. */
  readonly retryAfterMs: number;
  /** When the next request may be sent, on the clock of `performance.now()`, which never jumps. */
  readonly retryAtMs: number;

  constructor(code: VisavisErrorCode, message: string, status: number, retryAfterMs: number) {
    super(code, message);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    this.retryAtMs = performance.now() + retryAfterMs;
  }

  /** The session is gone for good, so a retry cannot help. */
  get final(): boolean {
    return [401, 403, 404, 410].includes(this.status);
  }
}
