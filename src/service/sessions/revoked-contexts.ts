import type { SessionRecord, Store } from "../store/store.ts";

/** How many sessions are ended in one sweep: more would keep requests waiting. */
const batch = 100;

/**
 * Finds the live sessions whose embed context was removed or switched off. The sessions are searched only after a context
 * changed, in this process or another: that is one cheap question for each sweep.
 */
export function createRevokedContexts({
  contexts,
  sessions,
}: Pick<Store, "contexts" | "sessions">): () => Promise<SessionRecord[]> {
  let searched: string | undefined;
  return async () => {
    const version = await contexts.version();
    if (version === searched) return [];
    const found = await sessions.withoutContext(batch);
    if (found.length < batch) searched = version;
    return found;
  };
}
