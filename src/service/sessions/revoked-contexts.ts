import type { SessionRecord, Store } from "../store/store.ts";

/** How many sessions one sweep ends: more would delay requests. */
const batch = 100;

/**
 * Finds the live sessions whose embed context was removed or disabled. Sessions are searched only after a context changed, in
 * this process or another. Finding out whether one changed takes one cheap query per sweep.
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
