import { timingSafeEqual } from "node:crypto";
import { hashApiKey, isApiKeyShaped } from "../api-key.ts";
import type { Clock } from "../clock.ts";
import type { Store } from "../store/store.ts";
import { AuthFault } from "./auth-fault.ts";
import { requestHeader } from "./node-request.ts";

/** Both headers mean the same (wire conventions, Names the specification leaves out). */
const apiKeyHeaders = ["serviceplatform-apikey", "xp-api-key"] as const;

/** Clients of a third-party SDK send this one, on the voices listing alone (interface specification, Authentication). */
export const voicesKeyHeader = "xi-api-key";

/** Whom a request's API key belongs to. */
export interface ApiKeyHolder {
  keyId: string;
  organizationId: string;
}

/** The API key that a request shows, whatever it is worth; null where it shows none. */
export function presentedApiKey(request: Request, alsoNamed?: Lowercase<string>): string | null {
  for (const name of apiKeyHeaders) {
    const value = requestHeader(request, name);
    if (value !== null) return value;
  }
  return alsoNamed === undefined ? null : requestHeader(request, alsoNamed);
}

/** The API key as a bearer token, which is how Prometheus of every version can show one; null where there is none. */
export function bearerKey(request: Request): string | null {
  return /^Bearer +(\S+)$/i.exec(requestHeader(request, "authorization") ?? "")?.[1] ?? null;
}

/** Finds whom a key belongs to. Throws an AuthFault. */
export async function apiKeyHolder(
  { apiKeys }: Pick<Store, "apiKeys">,
  clock: Clock,
  key: string | null,
): Promise<ApiKeyHolder> {
  if (!key || !isApiKeyShaped(key)) throw AuthFault.invalid();
  const hash = hashApiKey(key);
  const record = await apiKeys.byHash(hash);
  if (record === null || !timingSafeEqual(Buffer.from(record.hash), Buffer.from(hash)))
    throw AuthFault.notFound();
  const expired = record.expiresAtMs !== null && record.expiresAtMs <= clock.nowMs();
  if (expired || record.revokedAtMs !== null) throw AuthFault.deactivated();
  return { keyId: record.id, organizationId: record.organizationId };
}
