import type { ErrorBody, WireErrorCode } from "../protocol/error-body.ts";
import { fatalOfferCode } from "../protocol/fatal-offer.ts";
import type { VisavisErrorCode } from "../protocol/visavis-error-code.ts";

/** A code a browser may be told: the element's own, or the wire's for a faulty request. */
export type RelayErrorCode = VisavisErrorCode | WireErrorCode | typeof fatalOfferCode;

interface RelayErrorOptions {
  cause?: unknown;
  /** The path of the faulty field. */
  attr?: string | null;
  headers?: Record<string, string>;
}

/** Why the relay refuses or cannot answer a request; carries its HTTP status and what a browser reads. */
export class RelayError extends Error {
  override readonly name = "RelayError";
  readonly attr: string | null;
  readonly headers: Record<string, string>;

  constructor(
    readonly code: RelayErrorCode,
    readonly status: number,
    message: string,
    { cause, attr = null, headers = {} }: RelayErrorOptions = {},
  ) {
    super(message, { cause });
    this.attr = attr;
    this.headers = headers;
  }

  static contextNotFound(): RelayError {
    return new RelayError(
      "context_not_found",
      404,
      "There is no context of this name. Check the snippet's context id.",
    );
  }

  static contextInactive(): RelayError {
    return new RelayError("context_inactive", 403, "This context is switched off.");
  }

  static originNotAllowed(origin: string | null): RelayError {
    const detail = origin
      ? `Pages of ${origin} may not use this context. Add the origin to its allowed_origins.`
      : "The request names no origin.";
    return new RelayError("origin_not_allowed", 403, detail);
  }

  /** The same answer for a session that is gone, one of somebody else, and a token that is no token. */
  static sessionLost(): RelayError {
    return new RelayError("session_lost", 404, "There is no such session.");
  }

  static sessionExpired(): RelayError {
    return new RelayError("session_lost", 410, "The session was silent for too long. Start a new one.");
  }

  /** The service's media process died of the offer, and the session ended with it. */
  static fatalOffer(): RelayError {
    return new RelayError(
      fatalOfferCode,
      503,
      "The connection failed, and the session with it. Start a new one.",
    );
  }

  /** Too many offers of the visitor's address were fatal. */
  static addressRefused(waitMs: number): RelayError {
    const waitSec = Math.max(1, Math.ceil(waitMs / 1000));
    const detail = `Too many connections of this address failed. Try again in ${waitSec} s.`;
    return new RelayError("permission_denied", 403, detail, { headers: { "Retry-After": String(waitSec) } });
  }

  static quotaExceeded(detail: string): RelayError {
    return new RelayError("quota_exceeded", 403, detail);
  }

  /** `limit` starts a minute; `resetAtMs` and `nowMs` since the epoch. */
  static rateLimited(limit: number, resetAtMs: number, nowMs: number): RelayError {
    const waitSec = Math.max(1, Math.ceil((resetAtMs - nowMs) / 1000));
    return new RelayError("rate_limited", 429, `Too many requests. Try again in ${waitSec} s.`, {
      headers: {
        "Retry-After": String(waitSec),
        "X-RateLimit-Limit": String(limit),
        "X-RateLimit-Remaining": "0",
        "X-RateLimit-Reset": String(Math.ceil(resetAtMs / 1000)),
      },
    });
  }

  /** `status` 502: the service answered wrongly; 503: it did not answer. */
  static engineFailed(status: 502 | 503, detail: string, cause?: unknown): RelayError {
    return new RelayError("engine_failed", status, detail, { cause });
  }

  /** Too many bodies are in memory: one address's, or all together. */
  static tooManyBodies(whose: "process" | "address"): RelayError {
    const headers = { "Retry-After": "5" };
    return whose === "address"
      ? new RelayError("rate_limited", 429, "Too many uploads at once. Try again in 5 s.", { headers })
      : new RelayError("engine_failed", 503, "The relay is busy. Try again in 5 s.", { headers });
  }

  static invalidRequest(code: WireErrorCode, detail: string, attr: string | null = null): RelayError {
    return new RelayError(code, 400, detail, { attr });
  }

  static tooLarge(maxBytes: number): RelayError {
    return new RelayError("max_length", 413, `The body is larger than ${maxBytes} bytes.`);
  }

  /** The answer in the wire's shape (wire conventions, Status codes and error bodies). */
  toResponse(): Response {
    const body: ErrorBody = {
      type: this.status >= 500 ? "server_error" : this.status === 400 ? "validation_error" : "client_error",
      errors: [{ code: this.code, detail: this.message, attr: this.attr }],
    };
    return Response.json(body, {
      status: this.status,
      headers: { ...this.headers, "Cache-Control": "no-store" },
    });
  }
}
