import {
  inboxListSchema,
  inboxMessageSchema,
  type InboxMessage,
  messageStates,
  type MessageState,
} from "../../protocol/console/inbox.ts";
import { addressOf, type ApiClient, type ListPage, type Query } from "../api/api-client.ts";

const path = "/api/console/inbox/";
const onePath = (id: string): string => `${path}${encodeURIComponent(id)}/`;
const pageSize = 50;

/** Which messages the page shows, as it stands in its address. */
export interface InboxFilters {
  readonly state: MessageState | "all";
  /** UUID of an avatar; empty: all. */
  readonly context: string;
}

/** The filters in a page's query. */
export function filtersOf(query: URLSearchParams): InboxFilters {
  const state = query.get("state") ?? "new";
  return {
    state: state === "all" ? state : (messageStates.find((one) => one === state) ?? "new"),
    context: query.get("avatar") ?? "",
  };
}

/** The query of a page with these filters. */
export const filterQuery = ({ state, context }: InboxFilters): Record<string, string | undefined> => ({
  state: state === "new" ? undefined : state,
  avatar: context || undefined,
});

const searchOf = ({ state, context }: InboxFilters): Query => ({
  state: state === "all" ? undefined : state,
  context: context || undefined,
});

/** A page of messages, the newest first. Throws ApiError. */
export const loadMessages = (
  api: ApiClient,
  filters: InboxFilters,
  options: { cursor?: string; signal?: AbortSignal } = {},
): Promise<ListPage<InboxMessage>> =>
  api.page(path, {
    query: { ...searchOf(filters), limit: pageSize, cursor: options.cursor },
    schema: inboxListSchema,
    ...(options.signal && { signal: options.signal }),
  });

/** A message. Throws ApiError. */
export const loadMessage = (api: ApiClient, id: string, signal: AbortSignal): Promise<InboxMessage> =>
  api.request(onePath(id), { schema: inboxMessageSchema, signal });

/** Says what has become of a message. Throws ApiError. */
export const setMessageState = (api: ApiClient, id: string, state: MessageState): Promise<undefined> =>
  api.request(onePath(id), { method: "PUT", body: { state } });

/** Deletes a message for good. Throws ApiError. */
export const deleteMessage = (api: ApiClient, id: string): Promise<undefined> =>
  api.request(onePath(id), { method: "DELETE" });

/** The address of a file with the messages that match the filters. */
export const exportAddress = (filters: InboxFilters): string =>
  addressOf(location.origin, "/api/console/inbox-export/csv/", searchOf(filters));
