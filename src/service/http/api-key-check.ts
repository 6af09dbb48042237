import { timingSafeEqual } from "node:crypto";
import { hashApiKey, isApiKeyShaped } from "../api-key.ts";
import type { Clock } from "../clock.ts";
import type { Store } from "../store/store.ts";
import { AuthFault } from "./auth-fault.ts";

/** Both headers mean the same (wire conventions, Names the specification leaves out). */
const apiKeyHeaders = ["ServicePlatform-APIKey", "XP-API-KEY"];

/** Finds the organization that a request's API key belongs to. Throws an AuthFault. */
export type ApiKeyCheck = (headers: Headers) => Promise<{ organizationId: string }>;

/** Checks API keys against those of a store. */
export function createApiKeyCheck(store: Store, clock: Clock): ApiKeyCheck {
  return async (headers) => {
    const key = apiKeyHeaders.map((name) => headers.get(name)).find((value) => value !== null);
    if (!key || !isApiKeyShaped(key)) throw AuthFault.invalid();
    const hash = hashApiKey(key);
    const record = await store.apiKeys.byHash(hash);
    if (record === null || !timingSafeEqual(Buffer.from(record.hash), Buffer.from(hash)))
      throw AuthFault.notFound();
    const expired = record.expiresAtMs !== null && record.expiresAtMs <= clock.nowMs();
    if (expired || record.revokedAtMs !== null) throw AuthFault.deactivated();
    return { organizationId: record.organizationId };
  };
}
