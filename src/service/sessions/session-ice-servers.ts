import { createHmac } from "node:crypto";
import type { IceServer } from "../../protocol/ice.ts";
import { sessionReference } from "../log.ts";
import type { ServiceSettings } from "../service-settings.ts";

/**
 * The STUN and TURN servers for the client of a session. TURN credentials are the session's own and expire: the user name is
 * `<expiry, Unix seconds>:<session reference>`, the password its HMAC-SHA1 under the secret that the TURN server shares
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
