import { embedContextSchema, type EmbedContext } from "../protocol/embed-context.ts";
import { ExpiringCache } from "./expiring-cache.ts";
import { RelayError } from "./relay-error.ts";
import type { ContextSource, RelayClock, ServiceCall } from "./relay-deps.ts";
import { requestService } from "./service-request.ts";

/** So long a change of a context may go unnoticed, in ms. */
const contextTtlMs = 2_000;

const contextIdPattern = /^[A-Za-z0-9_-]{1,100}$/;

/** How to ask the service for a context: the path, or null when the name cannot be one of its contexts. */
type ContextPath = (contextId: string) => string | null;

function cachedSource(service: ServiceCall, clock: RelayClock, pathOf: ContextPath): ContextSource {
  const cache = new ExpiringCache<EmbedContext | null>({
    ttlMs: contextTtlMs,
    maxEntries: 500,
    now: () => clock.now(),
  });
  return {
    get: async (contextId) => {
      const path = contextIdPattern.test(contextId) ? pathOf(contextId) : null;
      return path === null ? null : cache.get(contextId, () => loadContext(service, path));
    },
  };
}

async function loadContext(service: ServiceCall, path: string): Promise<EmbedContext | null> {
  const response = await requestService(service, path);
  if (response.status === 404) return null;
  if (!response.ok) throw RelayError.engineFailed(502, "The avatar service refused to name the context.");
  const body: unknown = await response.json().catch(() => null);
  const first: unknown = Array.isArray(body) ? (body[0] ?? null) : body;
  if (first === null) return null;
  const parsed = embedContextSchema.safeParse(first);
  if (!parsed.success) {
    throw RelayError.engineFailed(502, "The avatar service describes the context wrongly.", parsed.error);
  }
  return parsed.data;
}

/** Contexts by their public key, from the service's own list. Kept for two seconds. */
export function serviceContexts(service: ServiceCall, clock: RelayClock = Date): ContextSource {
  const path = (id: string) => `/api/console/b2c/contexts/?context_id=${encodeURIComponent(id)}`;
  return cachedSource(service, clock, path);
}

/** Contexts of a service that finds them by UUID only: `uuids` maps public keys to UUIDs. Kept for two seconds. */
export function mappedContexts(
  service: ServiceCall,
  uuids: ReadonlyMap<string, string>,
  clock: RelayClock = Date,
): ContextSource {
  return cachedSource(service, clock, (id) => {
    const uuid = uuids.get(id);
    return uuid === undefined ? null : `/api/console/b2c/contexts/${encodeURIComponent(uuid)}/`;
  });
}
