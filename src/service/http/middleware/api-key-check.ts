import { timingSafeEqual } from "node:crypto";
import { hashApiKey, isApiKeyShaped } from "../../api-key.ts";
import type { Clock } from "../../clock.ts";
import type { Store } from "../../store/store.ts";
import { AuthFault } from "../auth-fault.ts";
import type { HttpContext } from "../http-environment.ts";
import type { ApiKeyHolder } from "../identity.ts";
import { requestHeader } from "../node-request.ts";

/** Both headers mean the same (wire conventions, Names the specification leaves out). */
const apiKeyHeaders = ["serviceplatform-apikey", "xp-api-key"] as const;

/** Clients of a third-party SDK send this header to the voices listing (interface specification, Authentication). */
export const voicesKeyHeader = "xi-api-key";

/** The API key in the request's headers, valid or not; null where there is none. */
export function presentedApiKey(context: HttpContext, alsoNamed?: Lowercase<string>): string | null {
  for (const name of apiKeyHeaders) {
    const value = requestHeader(context, name);
    if (value !== null) return value;
  }
  return alsoNamed === undefined ? null : requestHeader(context, alsoNamed);
}

/** The API key as a bearer token, which every version of Prometheus can send; null where there is none. */
export function bearerKey(context: HttpContext): string | null {
  return /^Bearer +(\S+)$/i.exec(requestHeader(context, "authorization") ?? "")?.[1] ?? null;
}

/** Finds the holder of an API key. Throws an AuthFault. */
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
