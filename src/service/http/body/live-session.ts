import type { Sessions } from "../../sessions/sessions.ts";
import type { HttpContext } from "../http-environment.ts";
import { requireSession } from "../middleware/authentication.ts";

/**
 * Checks before a body is read that its session exists and has not ended; throws a Fault if not. For `beforeReading` of
 * operations on a live session.
 */
export function requireLiveSession(sessions: Pick<Sessions, "requireLive">) {
  return async (context: HttpContext, { session }: { readonly session: string }): Promise<undefined> => {
    requireSession(context);
    await sessions.requireLive(session);
  };
}
