import { createHmac } from "node:crypto";
import type { IceServer } from "../../protocol/ice.ts";
import { sessionReference } from "../../logging/logger.ts";
import type { ServiceSettings } from "../service-settings.ts";

/**
 * The STUN and TURN servers for the client of a session. Each session gets its own TURN credentials, and they expire. The user
 * name is `<expiry, Unix seconds>:<session reference>`. The password is its HMAC-SHA1 with the secret shared with the TURN server
 * (coturn, `use-auth-secret`; draft-uberti-behave-turn-rest).
 */
export function iceServersFor(
  { servers, turn }: ServiceSettings["ice"],
  sessionId: string,
  nowMs: number,
): IceServer[] {
  const own = servers.map((server) => ({ ...server }));
  if (!turn) return own;
  const username = `${Math.floor(nowMs / 1_000) + turn.ttlSec}:${sessionReference(sessionId)}`;
  const credential = createHmac("sha1", turn.secret).update(username).digest("base64");
  return [...own, { urls: [...turn.urls], username, credential }];
}
