import { createHmac, timingSafeEqual } from "node:crypto";
import type { Clock } from "../../clock.ts";

const lifetimeMs = 10 * 60 * 1000;

/** Links to files that can be followed without an API key. */
export interface SignedLinks {
  /** The query that gives access to a path for ten minutes, on behalf of an organization. */
  query(path: string, organizationId: string): string;
  /** The organization of a valid query; null if it is invalid or expired. */
  organizationOf(path: string, query: URLSearchParams): string | null;
}

/** Links signed with a secret. */
export function createSignedLinks(secret: string, clock: Clock): SignedLinks {
  const sign = (path: string, organizationId: string, expires: string) =>
    createHmac("sha256", secret)
      .update(JSON.stringify(["link", path, organizationId, expires]))
      .digest("base64url");
  return {
    query(path, organizationId) {
      const expires = String(clock.nowMs() + lifetimeMs);
      const signature = sign(path, organizationId, expires);
      return new URLSearchParams({ organization: organizationId, expires, signature }).toString();
    },
    organizationOf(path, query) {
      const organizationId = query.get("organization") ?? "";
      const expires = query.get("expires") ?? "";
      const expected = Buffer.from(sign(path, organizationId, expires));
      const given = Buffer.from(query.get("signature") ?? "");
      const right = given.length === expected.length && timingSafeEqual(given, expected);
      return right && Number(expires) > clock.nowMs() ? organizationId : null;
    },
  };
}
