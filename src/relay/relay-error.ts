import type { ErrorBody, WireError, WireErrorCode } from "../protocol/schema/error-body.ts";
import type { FieldError } from "../protocol/schema/field-errors.ts";
import { fatalOfferCode } from "../protocol/session/fatal-offer.ts";
import type { VisavisErrorCode, VisavisLimit } from "../protocol/visavis-error-code.ts";

/** A code that a browser may get: one of the element's, or one of the wire's for a faulty request. */
export type RelayErrorCode = VisavisErrorCode | WireErrorCode | typeof fatalOfferCode;

interface RelayErrorOptions {
  cause?: unknown;
  /** The path of the faulty field. */
  attr?: string | null;
  /** The limit that was reached. */
  limit?: VisavisLimit;
  /** Errors of other fields of the same request. */
  more?: readonly WireError[];
  headers?: Record<string, string>;
}

const limitDetails: Readonly<Record<VisavisLimit, string>> = {
  busy: "There are already as many conversations as the limit allows.",
  open: "This visitor has already opened as many conversations as the limit allows.",
  visitor: "This visitor's conversations for today are used up.",
  day: "Today's minutes are used up.",
  quota: "The owner's quota is used up.",
};

/** Why the relay refuses or cannot answer a request, with the HTTP status and what a browser may read. */
export class RelayError extends Error {
  override readonly name = "RelayError";
  readonly attr: string | null;
  readonly limit: VisavisLimit | undefined;
  readonly headers: Record<string, string>;
  readonly #more: readonly WireError[];

  constructor(
    readonly code: RelayErrorCode,
    readonly status: number,
    message: string,
    { cause, attr = null, limit, headers = {}, more = [] }: RelayErrorOptions = {},
  ) {
    super(message, { cause });
    this.attr = attr;
    this.limit = limit;
    this.headers = headers;
    this.#more = more;
  }

  static contextNotFound(): RelayError {
    return new RelayError(
      "context_not_found",
      404,
      "There is no context with this name. Check the context id in the snippet.",
    );
  }

  static contextInactive(): RelayError {
    return new RelayError(
      "context_inactive",
      403,
      "This context is switched off. Its owner can switch it on again.",
    );
  }

  static originNotAllowed(origin: string | null): RelayError {
    const detail = origin
      ? `Pages of ${origin} may not use this context. Add the origin to its allowed_origins.`
      : "The request names no origin: pages from files and from sandboxed frames have none. " +
        "Serve the page over http or https, or give the frame allow-same-origin.";
    return new RelayError("origin_not_allowed", 403, detail);
  }

  /** The same response for a session that is gone, for another visitor's session, and for an invalid token. */
  static sessionLost(): RelayError {
    return new RelayError("session_lost", 404, "There is no such session.");
  }

  static sessionExpired(): RelayError {
    return new RelayError(
      "session_lost",
      410,
      "The session sent no heartbeat for too long. Start a new one.",
    );
  }

  /** The offer crashed the service's media process, and the session ended with it. */
  static fatalOffer(): RelayError {
    return new RelayError(
      fatalOfferCode,
      503,
      "The connection failed and the session has ended. Start a new one.",
    );
  }

  /** Too many offers from the visitor's address were fatal. */
  static addressRefused(waitMs: number): RelayError {
    const waitSec = Math.max(1, Math.ceil(waitMs / 1000));
    const detail = `Too many connections from this address failed. Try again in ${waitSec} s.`;
    return new RelayError("permission_denied", 403, detail, { headers: { "Retry-After": String(waitSec) } });
  }

  static quotaExceeded(limit: VisavisLimit): RelayError {
    return new RelayError("quota_exceeded", 403, limitDetails[limit], { limit });
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

  /** `status` 502: the service's response was invalid; 503: the service did not respond. */
  static engineFailed(status: 502 | 503, detail: string, cause?: unknown): RelayError {
    return new RelayError("engine_failed", status, detail, { cause });
  }

  /** Too many bodies are in memory: of one address or in total. */
  static tooManyBodies(whose: "process" | "address"): RelayError {
    const headers = { "Retry-After": "5" };
    return whose === "address"
      ? new RelayError("rate_limited", 429, "Too many uploads at once. Try again in 5 s.", { headers })
      : new RelayError("engine_failed", 503, "The relay is busy. Try again in 5 s.", { headers });
  }

  static invalidRequest(code: WireErrorCode, detail: string, attr: string | null = null): RelayError {
    return new RelayError(code, 400, detail, { attr });
  }

  /** One error for each wrong field of a request; there is at least one. */
  static invalidFields([first, ...more]: readonly FieldError[]): RelayError {
    if (!first) return RelayError.invalidRequest("invalid", "The request is not valid.");
    return new RelayError(first.code, 400, first.detail, { attr: first.attr, more });
  }

  static tooLarge(maxBytes: number): RelayError {
    return new RelayError("max_length", 413, `The body is larger than ${maxBytes} bytes.`);
  }

  /** The response in the wire's format (wire conventions, Status codes and error bodies). */
  toResponse(): Response {
    const body: ErrorBody = {
      type: this.status >= 500 ? "server_error" : this.status === 400 ? "validation_error" : "client_error",
      errors: [
        { code: this.code, detail: this.message, attr: this.attr, ...(this.limit && { limit: this.limit }) },
        ...this.#more,
      ],
    };
    return Response.json(body, {
      status: this.status,
      headers: { ...this.headers, "Cache-Control": "no-store" },
    });
  }
}
