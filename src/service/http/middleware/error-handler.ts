import { AdministrationError } from "../../administration/administration-error.ts";
import { Fault, LimitExceeded } from "../../faults/fault.ts";
import type { ErrorHandler } from "hono";
import { routePath } from "hono/route";
import type { Clock } from "../../clock.ts";
import { StorageError } from "../../faults/storage-error.ts";
import type { Logger } from "../../../logging/logger.ts";
import { jsonAnswer } from "../answers/answer-headers.ts";
import { AuthFault } from "../identity.ts";
import type { HttpEnvironment } from "../http-environment.ts";
import { showWindow } from "./rate-limit.ts";

/** An operator's action that is not possible, as the wire says it (wire conventions, Status codes and error bodies). */
function administrationFault({ code, message, field }: AdministrationError): Fault {
  if (code === "not_found") return Fault.client(404, "not_found", message);
  if (code === "owner_needed") return Fault.forbidden(message);
  if (field !== null) return Fault.invalid("invalid", message, field);
  return Fault.client(400, "invalid", message);
}

function causeOf({ cause, message }: Fault): string {
  if (cause instanceof Error) return cause.stack ?? cause.message;
  return typeof cause === "string" ? cause : message;
}

function faultOf(error: Error): Fault {
  if (error instanceof Fault) return error;
  if (error instanceof AdministrationError) return administrationFault(error);
  if (error instanceof StorageError) return Fault.storage(error.code);
  return Fault.server("An unexpected error occurred.", error);
}

/** Answers every error in the form of the interface, and logs those that are not the caller's fault. */
export function errorHandler(log: Logger, clock: Clock): ErrorHandler<HttpEnvironment> {
  return (error, context) => {
    if (error instanceof LimitExceeded) {
      const { limit, resetAtMs, message } = error;
      showWindow(context, { limit, total: limit + 1, resetAtMs }, clock.nowMs());
      return jsonAnswer(context, AuthFault.rateLimited(message).body, 429);
    }
    if (error instanceof AuthFault) return jsonAnswer(context, error.body, error.status, error.headers);
    const fault = faultOf(error);
    if (error instanceof StorageError)
      log.error("request failed", {
        ...{ method: context.req.method, route: routePath(context) },
        error: error.message,
      });
    else if (fault.status === 500) {
      // The pattern of the path is logged: the path itself contains the session's id.
      const line = { method: context.req.method, route: routePath(context), error: causeOf(fault) };
      // When a client disconnects, its work is cancelled and fails for that reason.
      if (context.req.raw.signal.aborted) log.info("request was aborted by its client", line);
      else log.error("request failed", line);
    }
    return jsonAnswer(context, fault.body, fault.status, fault.headers);
  };
}
