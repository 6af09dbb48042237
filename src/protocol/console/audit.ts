import * as z from "zod";
import { pageQuerySchema } from "../schema/paging.ts";

/** Query of GET /api/console/audit-log/. `account`: the id of the account that made the changes. */
export const auditQuerySchema = pageQuerySchema.extend({ account: z.string().max(255).optional() });

/** A change that somebody made, a login, a failed one, its end, or a download of conversations. */
export const auditEntrySchema = z.object({
  id: z.string(),
  at: z.string(),
  /** Who made it. `name`: the user name, or the name of the API key, at that time. `unknown`: a login failed; both are empty. */
  by: z.object({ type: z.enum(["operator", "key", "unknown"]), id: z.string(), name: z.string() }),
  /** The address that the request came from; null where it is unknown. */
  address: z.string().nullable(),
  /** What was done: the operation's `operationId` in `/openapi.json`, and its summary there; or `logInFailed`. */
  operation: z.string(),
  summary: z.string(),
  /** What it was done to; null where it is nothing in particular. `name`: as it was called at that time. */
  target: z.object({ id: z.string(), name: z.string() }).nullable(),
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;

/** Answer of GET /api/console/audit-log/. */
export const auditEntryListSchema = z.array(auditEntrySchema);
