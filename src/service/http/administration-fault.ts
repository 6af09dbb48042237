import type { AdministrationError } from "../administration/administration-error.ts";
import { Fault } from "../fault.ts";

/** An operator's action that is not possible, as the wire says it (wire conventions, Status codes and error bodies). */
export function administrationFault({ code, message, field }: AdministrationError): Fault {
  if (code === "not_found") return Fault.client(404, "not_found", message);
  if (code === "owner_needed") return Fault.forbidden(message);
  if (field !== null) return Fault.invalid("invalid", message, field);
  return Fault.client(400, "invalid", message);
}
