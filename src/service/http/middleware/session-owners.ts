import { LRUCache } from "lru-cache";
import type { Store } from "../../store/store.ts";

const keptOwners = 100_000;

/** The organization that owns the session of an id; null where there is no such session. */
export type SessionOwners = (sessionId: string) => Promise<string | null>;

/**
 * Finds and caches the owners of sessions. A session keeps its owner and is never deleted, so each is read once. Unknown
 * ids are not cached: guessed ids would fill the memory.
 */
export function createSessionOwners({ sessions }: Pick<Store, "sessions">): SessionOwners {
  // With `max`, an empty cache would already take the memory and the time of a full one.
  const owners = new LRUCache<string, string>({ maxSize: keptOwners, sizeCalculation: () => 1 });
  return async (sessionId) => {
    const known = owners.get(sessionId);
    if (known !== undefined) return known;
    const session = await sessions.byId(sessionId);
    if (session === null) return null;
    owners.set(sessionId, session.organizationId);
    return session.organizationId;
  };
}
