import type { Context } from "hono";
import type { Sessions } from "../sessions/sessions.ts";
import { readRequestFields } from "./request-fields.ts";
import type { ReadOptions, RequestFields } from "./request-fields.ts";
import { pathPart } from "./routing.ts";
import { requireSession } from "./visit.ts";

/**
 * The body of an operation on a live session. Throws a Fault before a byte is read where there is no such session or it has
 * ended, and what `readRequestFields` throws.
 */
export async function readLiveSessionFields(
  context: Context,
  sessions: Sessions,
  options: ReadOptions,
): Promise<RequestFields> {
  requireSession(context);
  await sessions.requireLive(pathPart(context, "session"));
  return readRequestFields(context.req.raw, options);
}
