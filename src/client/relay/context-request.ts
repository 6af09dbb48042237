import { publicContextSchema, type PublicContext } from "../../protocol/session/relay-api.ts";
import type { AvatarSessionOptions } from "../link/avatar-session.ts";
import { parseAnswer, relayRequest } from "./relay-request.ts";

/** GET of the context's public view. Throws VisavisError. */
export async function fetchContext({ relay, contextId }: AvatarSessionOptions): Promise<PublicContext> {
  const url = `${relay}/embed/v1/contexts/${encodeURIComponent(contextId)}`;
  return parseAnswer(await relayRequest({ url, purpose: "context" }), publicContextSchema);
}
