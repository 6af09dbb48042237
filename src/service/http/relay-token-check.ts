import { createHash, timingSafeEqual } from "node:crypto";
import { relayTokenHeader } from "../../protocol/relay-token.ts";
import { requestHeader } from "./node-request.ts";

const headerName = relayTokenHeader.toLowerCase() as Lowercase<string>;

/** Whether a request shows the relay token. */
export type RelayTokenCheck = (request: Request) => boolean;

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Compares digests, so that the time tells neither the token nor its length. Without a token no request shows it. */
export function relayTokenCheck(token: string | undefined): RelayTokenCheck {
  if (!token) return () => false;
  const expected = digest(token);
  return (request) => {
    const shown = requestHeader(request, headerName);
    return shown !== null && timingSafeEqual(digest(shown), expected);
  };
}
