import type { Retention } from "../../../protocol/console/settings.ts";
import type { Store } from "../../store/store.ts";
import { changeEmbedConfig } from "../contexts/avatars.ts";
import { namedContext } from "../contexts/contexts.ts";

/** How long the words of an organization's conversations are kept, and how many conversations there are. */
export async function retentionOf(
  { contexts, conversations }: Pick<Store, "contexts" | "conversations">,
  organizationId: string,
): Promise<Retention> {
  const { all, withWords } = await conversations.count(organizationId);
  return {
    contexts: (await contexts.list(organizationId)).map(({ id, name, embed_config: config }) => ({
      id,
      name,
      retention_days: config.retention_days ?? 0,
    })),
    conversations_with_words: withWords,
    conversations: all,
  };
}

/**
 * Sets for how many days words are kept, for some contexts or all. The new number also applies to earlier conversations. Throws
 * AdministrationError `not_found`.
 */
export async function setRetention(
  store: Pick<Store, "contexts">,
  change: { organizationId: string; by: string; nowMs: number },
  {
    retention_days: days,
    contexts: asked,
  }: { retention_days: number; contexts?: readonly string[] | undefined },
): Promise<void> {
  const { organizationId } = change;
  const named = asked ?? (await store.contexts.list(organizationId)).map(({ id }) => id);
  // Checks that all exist before changing any.
  const ids: string[] = [];
  for (const identifier of named) ids.push((await namedContext(store, organizationId, identifier)).id);
  for (const id of ids)
    await changeEmbedConfig(store, { ...change, id }, (config) => ({ ...config, retention_days: days }));
}
