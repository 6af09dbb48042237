import * as z from "zod";
import {
  conversationDetailSchema,
  conversationEndings,
  conversationListSchema,
  type Conversation,
  type ConversationDetail,
  type ConversationEnding,
} from "../../protocol/console/conversations.ts";
import { embedContextListSchema } from "../../protocol/console/contexts.ts";
import { readConfig } from "../../protocol/settings/read-config.ts";
import { addressOf, type ApiClient, type ListPage, type Query } from "../api/api-client.ts";

/** The filters of the list of conversations, as they stand in the page's address. */
export interface ConversationFilters {
  /** UUID of an avatar; empty: all. */
  readonly context: string;
  /** The last so many days; 0: all time. */
  readonly days: number;
  readonly ended: ConversationEnding | "";
  readonly didNotHelp: boolean;
  readonly unanswered: boolean;
  /** Words that were said; empty: any. */
  readonly search: string;
}

/** An avatar as the page names it. */
export interface ConversationAvatar {
  readonly id: string;
  readonly name: string;
  /** How many days its words are kept; 0: not at all. */
  readonly retentionDays: number;
}

const path = "/api/console/conversations/";
const pageSize = 50;

/** The choices of the filter by time, in days. */
export const dayChoices = [1, 7, 30, 0] as const;

const endingSchema = z.enum(conversationEndings);

/** The filters in a page's query. */
export function filtersOf(query: URLSearchParams): ConversationFilters {
  const days = Number(query.get("days") ?? 7);
  const ending = endingSchema.safeParse(query.get("ended"));
  return {
    context: query.get("avatar") ?? "",
    days: dayChoices.find((choice) => choice === days) ?? 7,
    ended: ending.success ? ending.data : "",
    didNotHelp: query.get("help") === "no",
    unanswered: query.get("answer") === "no",
    search: query.get("search") ?? "",
  };
}

/** The query of a page with these filters. */
export const filterQuery = (filters: ConversationFilters): Record<string, string | undefined> => ({
  avatar: filters.context || undefined,
  days: filters.days === 7 ? undefined : String(filters.days),
  ended: filters.ended || undefined,
  help: filters.didNotHelp ? "no" : undefined,
  answer: filters.unanswered ? "no" : undefined,
  search: filters.search || undefined,
});

function searchOf(filters: ConversationFilters): Query {
  const { context, days, ended, didNotHelp, unanswered, search } = filters;
  const midnight = new Date();
  midnight.setHours(0, 0, 0, 0);
  midnight.setDate(midnight.getDate() - days + 1);
  return {
    context: context || undefined,
    from: days === 0 ? undefined : midnight.toISOString(),
    ended: ended || undefined,
    did_not_help: didNotHelp || undefined,
    unanswered: unanswered || undefined,
    search: search || undefined,
  };
}

/** A page of conversations, the newest first. Throws ApiError. */
export const loadConversations = (
  api: ApiClient,
  filters: ConversationFilters,
  options: { cursor?: string; signal?: AbortSignal } = {},
): Promise<ListPage<Conversation>> =>
  api.page(path, {
    query: { ...searchOf(filters), limit: pageSize, cursor: options.cursor },
    schema: conversationListSchema,
    ...(options.signal && { signal: options.signal }),
  });

/** The avatars whose conversations there are. Throws ApiError. */
export async function loadConversationAvatars(
  api: ApiClient,
  signal: AbortSignal,
): Promise<ConversationAvatar[]> {
  const contexts = await api.request("/api/console/b2c/contexts/", {
    schema: embedContextListSchema,
    signal,
  });
  return contexts.map(({ id, name, embed_config }) => {
    const { ui, retention_days: retentionDays = 0 } = readConfig(embed_config);
    return { id, name: ui?.avatar_name ?? name, retentionDays };
  });
}

/** A conversation with everything that was said and happened. Throws ApiError. */
export const loadConversation = (
  api: ApiClient,
  id: string,
  signal: AbortSignal,
): Promise<ConversationDetail> =>
  api.request(`${path}${encodeURIComponent(id)}/`, { schema: conversationDetailSchema, signal });

/** Deletes a conversation; for 30 s it can be restored. Throws ApiError. */
export const deleteConversation = (api: ApiClient, id: string): Promise<undefined> =>
  api.request(`${path}${encodeURIComponent(id)}/`, { method: "DELETE" });

/** Undoes the deletion. Throws ApiError. */
export const restoreConversation = (api: ApiClient, id: string): Promise<undefined> =>
  api.request(`${path}${encodeURIComponent(id)}/restore/`, { method: "POST" });

/** The address of a file with the conversations that match the filters. */
export const exportAddress = (format: "json" | "csv", filters: ConversationFilters): string =>
  addressOf(location.origin, `/api/console/conversation-export/${format}/`, searchOf(filters));
