import type { Store } from "../store/store.ts";

const keptOwners = 100_000;

/** Whose session an id is; null when there is none of that id. */
export type SessionOwners = (sessionId: string) => Promise<string | null>;

/**
 * Owners of the store's sessions. A session never changes hands and is never unmade, so each is asked for once; ids that
 * name nothing are not kept, or guessing would fill the memory.
 */
export function createSessionOwners({ sessions }: Pick<Store, "sessions">): SessionOwners {
  const owners = new Map<string, string>();
  return async (sessionId) => {
    const known = owners.get(sessionId);
    if (known !== undefined) return known;
    const session = await sessions.byId(sessionId);
    if (session === null) return null;
    const [oldest] = owners.keys();
    if (owners.size >= keptOwners && oldest !== undefined) owners.delete(oldest);
    owners.set(sessionId, session.organizationId);
    return session.organizationId;
  };
}
