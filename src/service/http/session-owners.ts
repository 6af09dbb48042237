import { BoundedMap } from "../bounded-map.ts";
import type { Store } from "../store/store.ts";

const keptOwners = 100_000;

/** Whose session an id is; null when there is none of that id. */
export type SessionOwners = (sessionId: string) => Promise<string | null>;

/**
 * Owners of the store's sessions. A session never changes hands and is never unmade, so each is asked for once; ids that
 * name nothing are not kept, or guessing would fill the memory.
 */
export function createSessionOwners({ sessions }: Pick<Store, "sessions">): SessionOwners {
  const owners = new BoundedMap<string, string>(keptOwners);
  return async (sessionId) => {
    const known = owners.get(sessionId);
    if (known !== undefined) return known;
    const session = await sessions.byId(sessionId);
    if (session === null) return null;
    owners.set(sessionId, session.organizationId);
    return session.organizationId;
  };
}
