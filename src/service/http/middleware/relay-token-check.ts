import { createHash, timingSafeEqual } from "node:crypto";
import type { relayTokenHeader } from "../../../protocol/relay-token.ts";
import type { HttpContext } from "../http-environment.ts";
import { requestHeader } from "../node-request.ts";

const headerName = "visavis-relay-token" satisfies Lowercase<typeof relayTokenHeader>;

/** Whether a request carries the relay token. */
export type RelayTokenCheck = (context: HttpContext) => boolean;

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Compares digests, so that timing reveals neither the token nor its length. Without a token no request passes. */
export function relayTokenCheck(token: string | undefined): RelayTokenCheck {
  if (!token) return () => false;
  const expected = digest(token);
  return (context) => {
    const given = requestHeader(context, headerName);
    return given !== null && timingSafeEqual(digest(given), expected);
  };
}
