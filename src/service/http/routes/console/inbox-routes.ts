import { inboxCountsSchema } from "../../../../protocol/console/inbox-counts.ts";
import {
  inboxFilterSchema,
  inboxListSchema,
  inboxMessageSchema,
  inboxQuerySchema,
  messageChangeSchema,
} from "../../../../protocol/console/inbox.ts";
import {
  deleteMessage,
  message,
  messagesAsCsv,
  messageView,
  setMessageState,
} from "../../../administration/conversations/inbox.ts";
import type { Clock } from "../../../clock.ts";
import type { Store } from "../../../store/store.ts";
import { streamOf } from "../../answers/text-stream.ts";
import { callerName } from "../../identity.ts";
import { listOperation } from "../../operations/list-operation.ts";
import { operation, type Operation } from "../../operations/operation.ts";

interface InboxAccess {
  store: Pick<Store, "inbox">;
  clock: Clock;
}

const tag = "Inbox";
const auth = "console";
const path = "/api/console/inbox/";
const onePath = "/api/console/inbox/:message/";

/** A list without `limit` would have the messages of months. */
const defaultLimit = 50;

function readRoutes({ store }: InboxAccess): Operation[] {
  return [
    listOperation({
      path,
      id: "listMessages",
      tag,
      summary: "List the messages that visitors have left, the newest first; 50 without a limit",
      auth,
      query: inboxQuerySchema,
      description: "A page of messages",
      schema: inboxListSchema,
      async read({ caller, query: { state, context } }, { limit = defaultLimit, after }) {
        const filter = { state, contextUuid: context };
        const { items, next } = await store.inbox.page(caller.organizationId, filter, { limit, after });
        return { items: items.map(messageView), next };
      },
    }),
    operation({
      method: "GET",
      path: "/api/console/inbox-counts/",
      id: "countMessages",
      tag,
      summary: "Count the messages by their state",
      auth,
      answer: { status: 200, description: "How many there are", schema: inboxCountsSchema },
      handler: ({ caller }) => store.inbox.counts(caller.organizationId),
    }),
    operation({
      method: "GET",
      path: onePath,
      id: "retrieveMessage",
      tag,
      summary: "Get a message",
      auth,
      answer: { status: 200, description: "The message", schema: inboxMessageSchema },
      handler: ({ params, caller }) => message(store, caller.organizationId, params.message),
    }),
    operation({
      method: "GET",
      path: "/api/console/inbox-export/csv/",
      id: "exportMessages",
      tag,
      summary: "Download the messages that match the filters as CSV",
      auth,
      isExport: true,
      query: { schema: inboxFilterSchema },
      answer: {
        status: 200,
        description: "The file",
        contentType: "text/csv; charset=utf-8",
        headers: { "Content-Disposition": 'attachment; filename="messages.csv"' },
      },
      handler: ({ caller, query: { state, context } }) =>
        streamOf(messagesAsCsv(store, caller.organizationId, { state, contextUuid: context })),
    }),
  ];
}

/** Messages that visitors leave while nobody is there. */
export function inboxRoutes(access: InboxAccess): Operation[] {
  const { store, clock } = access;
  return [
    ...readRoutes(access),
    operation({
      method: "PUT",
      path: onePath,
      id: "setMessageState",
      tag,
      summary: "Say what has become of a message",
      auth,
      role: "answers",
      body: { schema: messageChangeSchema },
      answer: { status: 204, description: "It was noted" },
      handler: ({ params, caller, body: { state } }) =>
        setMessageState(store, caller.organizationId, { id: params.message, state, by: callerName(caller) }),
    }),
    operation({
      method: "DELETE",
      path: onePath,
      id: "deleteMessage",
      tag,
      summary: "Delete a message; that cannot be undone",
      auth,
      answer: { status: 204, description: "It was deleted" },
      handler: ({ params, caller }) =>
        deleteMessage(store, caller.organizationId, params.message, clock.nowMs()),
    }),
  ];
}
