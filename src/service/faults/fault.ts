import { fatalOfferCode } from "../../protocol/session/fatal-offer.ts";
import type { StorageErrorCode } from "./storage-error.ts";
import type { ErrorBody, WireError, WireErrorCode } from "../../protocol/schema/error-body.ts";

type FaultStatus = 400 | 403 | 404 | 405 | 406 | 415 | 500 | 503;

/** The reason in the error body when a quota refuses a session. */
const quotaDetails = {
  MAX_ACTIVE_SESSION_QUOTA_EXCEEDED: "The organization has as many active sessions as it may have.",
  TOTAL_MIN_PER_MONTH_QUOTA_EXCEEDED: "The organization's minutes of this month are used up.",
  INSUFFICIENT_CREDITS: "The organization's credits are used up.",
};

/**
 * The reason why a request fails, as the wire defines it (wire conventions, Status codes and error bodies). Thrown anywhere in
 * the service; the HTTP layer turns it into a response.
 */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly status: FaultStatus;
  readonly body: ErrorBody;
  /** Response headers. */
  readonly headers: Record<string, string> = {};

  constructor(status: FaultStatus, type: ErrorBody["type"], errors: WireError[], options?: ErrorOptions) {
    super(errors[0]?.detail ?? type, options);
    this.status = status;
    this.body = { type, errors };
  }

  /** Fields of the request are invalid: one entry for each. */
  static validation(errors: WireError[]): Fault {
    return new Fault(400, "validation_error", errors);
  }

  /** One field (`attr`, or null for the whole body) is invalid. */
  static invalid(code: WireErrorCode, detail: string, attr: string | null = null): Fault {
    return Fault.validation([{ code, detail, attr }]);
  }

  /** The body could not be parsed. */
  static parse(detail: string): Fault {
    return Fault.client(400, "parse_error", detail);
  }

  /** What the path names does not exist or belongs to another organization. Both get the same response. */
  static notFound(detail = "Not found."): Fault {
    return Fault.client(404, "not_found", detail);
  }

  /** The caller is authenticated but not allowed to do this. */
  static forbidden(detail = "You do not have permission to perform this action."): Fault {
    return Fault.client(403, "permission_denied", detail);
  }

  /** The session is over, so the operation is not possible. */
  static sessionEnded(reason: string): Fault {
    return Fault.client(400, "invalid", `This session has ended (${reason}).`);
  }

  /**
   * A quota has no place for a new session. The code is the termination reason, so that clients can tell quotas apart; `Location`
   * is the address where the refused session can be read.
   */
  static quota(reason: keyof typeof quotaDetails, sessionId: string): Fault {
    const fault = new Fault(403, "client_error", [
      { code: reason, detail: quotaDetails[reason], attr: null },
    ]);
    fault.headers["Location"] = `/api/v1/session/${sessionId}/`;
    return fault;
  }

  /** The service is about to stop; another instance will answer soon. */
  static stopping(): Fault {
    const detail = "The service is shutting down; try again in a few seconds.";
    const fault = new Fault(503, "server_error", [{ code: "error", detail, attr: null }]);
    fault.headers["Retry-After"] = "5";
    return fault;
  }

  /** The session's offer crashed a media process, and the session ended with it. */
  static fatalOffer(): Fault {
    const detail = "The media process died of this offer, and the session has ended. Create a new session.";
    return new Fault(500, "server_error", [{ code: fatalOfferCode, detail, attr: null }]);
  }

  /** The process has no memory left for more request bodies. */
  static busy(retryAfterSec: number): Fault {
    const detail = "The service is reading too many bodies at once; try again in a few seconds.";
    const fault = new Fault(503, "server_error", [{ code: "server_busy", detail, attr: null }]);
    fault.headers["Retry-After"] = String(retryAfterSec);
    return fault;
  }

  /** Nothing can be stored. The log says where. */
  static storage(code: StorageErrorCode): Fault {
    const detail =
      code === "disk_full" ? "The service's disk is full." : "The service may not store anything.";
    const fault = new Fault(503, "server_error", [{ code, detail, attr: null }]);
    fault.headers["Retry-After"] = "30";
    return fault;
  }

  static client(status: 400 | 403 | 404 | 405 | 406 | 415, code: WireErrorCode, detail: string): Fault {
    return new Fault(status, "client_error", [{ code, detail, attr: null }]);
  }

  /** A server-side failure. The cause goes to the log, never to the client. */
  static server(detail: string, cause?: unknown): Fault {
    return new Fault(500, "server_error", [{ code: "error", detail, attr: null }], { cause });
  }
}

/** How many pieces of one session's texts and audio may wait. More would be minutes of work. */
export const waitingPerSession = 64;

/** A limit that is reached until its window ends. The response is 429 over HTTP, and `rate_limited` over a data channel. */
export class LimitExceeded extends Error {
  override readonly name = "LimitExceeded";
  readonly code = "rate_limited";
  readonly limit: number;
  /** When the window ends, in ms since the Unix epoch. */
  readonly resetAtMs: number;

  /** `what` names the limited thing, such as "answers a minute in a session". */
  constructor(what: string, limit: number, resetAtMs: number) {
    super(`Rate limit exceeded: at most ${limit} ${what}. Wait until the time in X-RateLimit-Reset.`);
    this.limit = limit;
    this.resetAtMs = resetAtMs;
  }
}
