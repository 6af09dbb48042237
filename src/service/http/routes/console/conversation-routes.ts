import {
  conversationCountSchema,
  conversationDetailSchema,
  conversationExportSchema,
  conversationFilterSchema,
  conversationListSchema,
  conversationQuerySchema,
} from "../../../../protocol/console/conversations.ts";
import type * as z from "zod";
import {
  conversationDetail,
  conversationView,
  deleteConversation,
  restoreConversation,
  wholeConversation,
} from "../../../administration/conversations/conversations.ts";
import {
  conversationsAsCsv,
  conversationsAsJson,
} from "../../../administration/conversations/export-conversations.ts";
import type { Clock } from "../../../clock.ts";
import type { ConversationFilter, Store } from "../../../store/store.ts";
import { streamOf } from "../../answers/text-stream.ts";
import { linkNextPage, requestedPage } from "../../operations/list-operation.ts";
import { operation, type Operation } from "../../operations/operation.ts";

interface ConversationAccess {
  store: Store;
  clock: Clock;
}

const tag = "Conversations";
const auth = "console";
const path = "/api/console/conversations/";
const onePath = "/api/console/conversations/:session/";

/** A list without `limit` would have all conversations of years. */
const defaultLimit = 50;

/** How many words of a search are looked for. */
const mostWords = 8;

const form = { numbers: ["limit"], booleans: ["did_not_help", "unanswered"] };

function searchOf(query: z.infer<typeof conversationFilterSchema>): ConversationFilter {
  const time = (text: string | undefined) => (text === undefined ? undefined : Date.parse(text));
  return {
    contextUuid: query.context,
    fromMs: time(query.from),
    toMs: time(query.to),
    ended: query.ended,
    didNotHelp: query.did_not_help,
    unanswered: query.unanswered,
    words: query.search?.split(/\s+/).filter(Boolean).slice(0, mostWords),
  };
}

function readRoutes({ store }: ConversationAccess): Operation[] {
  const id = "listConversations";
  return [
    operation({
      method: "GET",
      path,
      id,
      tag,
      summary: "List the conversations of visitors, the newest first, with filters; 50 without a limit",
      auth,
      query: { schema: conversationQuerySchema, form },
      answer: { status: 200, description: "A page of conversations", schema: conversationListSchema },
      async handler({ context, caller, query }) {
        const { limit = defaultLimit, after } = requestedPage(id, query);
        const page = { limit, after };
        const { items, next } = await store.conversations.page(caller.organizationId, searchOf(query), page);
        if (next !== null) linkNextPage(context, id, next);
        return items.map(conversationView);
      },
    }),
    operation({
      method: "GET",
      path: onePath,
      id: "retrieveConversation",
      tag,
      summary: "Get a conversation with what was said and what happened",
      auth,
      answer: { status: 200, description: "The conversation", schema: conversationDetailSchema },
      handler: async ({ params, caller }) =>
        conversationDetail(await wholeConversation(store, caller.organizationId, params.session)),
    }),
  ];
}

function exportRoutes({ store }: ConversationAccess): Operation[] {
  const query = { schema: conversationFilterSchema, form };
  return [
    operation({
      method: "GET",
      path: "/api/console/conversation-export/json/",
      id: "exportConversationsAsJson",
      tag,
      summary: "Download the conversations that match the filters, with their words, as JSON",
      auth,
      isExport: true,
      query,
      answer: {
        status: 200,
        description: "The conversations, as an array",
        contentType: "application/json; charset=utf-8",
        content: conversationExportSchema,
        headers: { "Content-Disposition": 'attachment; filename="conversations.json"' },
      },
      handler: ({ caller, query: filter }) =>
        streamOf(conversationsAsJson(store, caller.organizationId, searchOf(filter))),
    }),
    operation({
      method: "GET",
      path: "/api/console/conversation-export/csv/",
      id: "exportConversationsAsCsv",
      tag,
      summary: "Download the same as CSV, a line for each thing that was said",
      auth,
      isExport: true,
      query,
      answer: {
        status: 200,
        description: "The file",
        contentType: "text/csv; charset=utf-8",
        headers: { "Content-Disposition": 'attachment; filename="conversations.csv"' },
      },
      handler: ({ caller, query: filter }) =>
        streamOf(conversationsAsCsv(store, caller.organizationId, searchOf(filter))),
    }),
  ];
}

function deletionRoutes({ store, clock }: ConversationAccess): Operation[] {
  return [
    operation({
      method: "DELETE",
      path: onePath,
      id: "deleteConversation",
      tag,
      summary: "Delete a conversation; for 30 s it can be restored",
      auth,
      answer: { status: 204, description: "It was deleted" },
      handler: ({ params, caller }) =>
        deleteConversation(store, caller.organizationId, params.session, clock.nowMs()),
    }),
    operation({
      method: "POST",
      path: "/api/console/conversations/:session/restore/",
      id: "restoreConversation",
      tag,
      summary: "Undo the deletion of a conversation, for 30 s after it",
      auth,
      answer: { status: 204, description: "The conversation was restored" },
      handler: ({ params, caller }) => restoreConversation(store, caller.organizationId, params.session),
    }),
    operation({
      method: "DELETE",
      path,
      id: "deleteAllConversations",
      tag,
      summary: "Delete every conversation; for 30 s they can be restored",
      auth,
      role: "owner",
      answer: { status: 200, description: "How many were deleted", schema: conversationCountSchema },
      handler: async ({ caller }) => ({
        conversations: await store.conversations.setDeleted(caller.organizationId, null, clock.nowMs()),
      }),
    }),
    operation({
      method: "POST",
      path: "/api/console/conversation-restore/",
      id: "restoreAllConversations",
      tag,
      summary: "Undo the deletion of all conversations, for 30 s after it",
      auth,
      role: "owner",
      answer: { status: 200, description: "How many were restored", schema: conversationCountSchema },
      handler: async ({ caller }) => ({
        conversations: await store.conversations.restore(caller.organizationId, null),
      }),
    }),
  ];
}

/** Visitors' conversations: figures always, words only while their avatar's owner keeps them. */
export function conversationRoutes(access: ConversationAccess): Operation[] {
  return [...readRoutes(access), ...exportRoutes(access), ...deletionRoutes(access)];
}
