import { isDeepStrictEqual } from "node:util";
import type { FirstRun } from "../../../protocol/console/overview.ts";
import type { EmbedContextPut } from "../../../protocol/embed-context.ts";
import { retrievalModel } from "../../store/built-in-entries.ts";
import { demoKeys, demoOrigins } from "../../store/seed.ts";
import type { ContextPage, ContextRecord, Store } from "../../store/store.ts";

interface FirstRunParts {
  store: Pick<Store, "contexts" | "contextPages" | "catalogue" | "conversations">;
  publicUrl: string;
}

/**
 * The settings that shape an avatar. The server itself gives the demo avatars a recognizer, and documents are added to all avatars by
 * teaching them, which is another step.
 */
function shapeOf({ embed_config, ...settings }: EmbedContextPut): object {
  return { ...settings, embed_config: { ...embed_config, stt_type: undefined, documents: undefined } };
}

/** Whether the owner has made or changed an avatar. */
async function isOwn(store: Pick<Store, "contexts">, context: ContextRecord): Promise<boolean> {
  if (!demoKeys.has(context.contextId)) return true;
  if (context.revision === 1) return false;
  const versions = await store.contexts.versions(context.id);
  const first = versions.find(({ revision }) => revision === 1);
  const last = versions[0];
  // Only the latest versions are kept: without the first one there were many.
  if (!first || !last) return true;
  return !isDeepStrictEqual(shapeOf(first.settings), shapeOf(last.settings));
}

/** The avatar that the owner works on: the one that was saved last of those that the owner has made, else of the demo avatars. */
async function ownAvatar(
  store: Pick<Store, "contexts">,
  contexts: readonly ContextRecord[],
): Promise<ContextRecord | null> {
  const isDemo = ({ contextId }: ContextRecord): number => (demoKeys.has(contextId) ? 1 : 0);
  const latestFirst = contexts.toSorted(
    (one, other) => isDemo(one) - isDemo(other) || other.updatedAtMs - one.updatedAtMs,
  );
  for (const context of latestFirst) if (await isOwn(store, context)) return context;
  return null;
}

/** Whether a context lists a site that the owner has named. */
const hasOwnOrigin = ({ contextId, embed_config: config }: ContextRecord): boolean =>
  (config.allowed_origins ?? []).some((origin) => !demoKeys.has(contextId) || !demoOrigins.includes(origin));

/** The page of another site that showed an avatar first. */
async function firstPage(
  { store, publicUrl }: FirstRunParts,
  contexts: readonly ContextRecord[],
): Promise<{ contextUuid: string; origin: string; atMs: number } | null> {
  const own = new URL(publicUrl).origin;
  const first: { contextUuid: string; origin: string; atMs: number }[] = [];
  for (const { id } of contexts)
    for (const page of await store.contextPages.list(id))
      if (isArrival(page, own))
        first.push({ contextUuid: id, origin: page.origin, atMs: page.firstAllowedAtMs });
  return first.sort((one, other) => one.atMs - other.atMs)[0] ?? null;
}

function isArrival(page: ContextPage, own: string): page is ContextPage & { firstAllowedAtMs: number } {
  return page.firstAllowedAtMs !== null && page.origin !== own;
}

/** The steps that are left; null when a visitor of the owner's own page has talked to an avatar. */
export async function firstRun(parts: FirstRunParts, organizationId: string): Promise<FirstRun | null> {
  const { store } = parts;
  const contexts = await store.contexts.list(organizationId);
  const arrived = await firstPage(parts, contexts);
  if (arrived) {
    const filter = { contextUuid: arrived.contextUuid, fromMs: arrived.atMs };
    const { items } = await store.conversations.page(organizationId, filter, { limit: 1 });
    if (items.length > 0) return null;
  }
  const documents = (await store.catalogue.rows("document", organizationId)).filter((row) => !row.isShared);
  const avatar = await ownAvatar(store, contexts);
  const shown = avatar ?? contexts[0];
  const models = contexts.map(({ embed_config: config }) => config.llm_type ?? retrievalModel);
  return {
    avatar: {
      done: avatar !== null,
      context: shown?.id ?? null,
      name: shown ? (shown.embed_config.ui?.avatar_name ?? shown.name) : null,
    },
    knowledge: { done: documents.length > 0, documents: documents.length },
    page: {
      done: arrived !== null,
      has_origin: contexts.some(hasOwnOrigin),
      arrived: arrived && { origin: arrived.origin, at: new Date(arrived.atMs).toISOString() },
    },
    has_model: models.some((model) => model !== retrievalModel),
  };
}
