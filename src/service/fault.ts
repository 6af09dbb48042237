import type { ErrorBody, WireError, WireErrorCode } from "../protocol/error-body.ts";

type FaultStatus = 400 | 403 | 404 | 405 | 406 | 415 | 500;

/**
 * Why a request cannot be answered, in the terms of the wire (wire conventions, Status codes and error bodies). Thrown
 * anywhere in the service, answered by its HTTP layer.
 */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly status: FaultStatus;
  readonly body: ErrorBody;

  constructor(status: FaultStatus, type: ErrorBody["type"], errors: WireError[], options?: ErrorOptions) {
    super(errors[0]?.detail ?? type, options);
    this.status = status;
    this.body = { type, errors };
  }

  /** Fields of the request are wrong: one entry for each. */
  static validation(errors: WireError[]): Fault {
    return new Fault(400, "validation_error", errors);
  }

  /** One field (`attr`, or null for the whole body) is wrong. */
  static invalid(code: WireErrorCode, detail: string, attr: string | null = null): Fault {
    return Fault.validation([{ code, detail, attr }]);
  }

  /** The body could not be read at all. */
  static parse(detail: string): Fault {
    return Fault.client(400, "parse_error", detail);
  }

  /** What the path names does not exist, or is somebody else's: both look alike. */
  static notFound(): Fault {
    return Fault.client(404, "not_found", "Not found.");
  }

  /** The caller is known and may not do this. */
  static forbidden(detail = "You do not have permission to perform this action."): Fault {
    return Fault.client(403, "permission_denied", detail);
  }

  /** The session is over, so the operation has nothing to work on. */
  static sessionEnded(reason: string): Fault {
    return Fault.client(400, "invalid", `This session has ended (${reason}).`);
  }

  static client(status: 400 | 403 | 404 | 405 | 406 | 415, code: WireErrorCode, detail: string): Fault {
    return new Fault(status, "client_error", [{ code, detail, attr: null }]);
  }

  /** Something of ours failed; the cause goes to the log, never to the client. */
  static server(detail: string, cause?: unknown): Fault {
    return new Fault(500, "server_error", [{ code: "error", detail, attr: null }], { cause });
  }
}
