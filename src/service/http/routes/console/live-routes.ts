import {
  handBackSchema,
  liveQuerySchema,
  personMessageSchema,
  presenceChangeSchema,
  takeSchema,
  whisperSchema,
} from "../../../../protocol/console/live.ts";
import { errorBodySchema } from "../../../../protocol/schema/error-body.ts";
import type { Sessions } from "../../../sessions/sessions.ts";
import type { Operator } from "../../../sessions/person/person-desk.ts";
import { eventStream, eventStreamHeaders } from "../../answers/event-stream.ts";
import type { OperatorCaller } from "../../identity.ts";
import { operation, OtherAnswer, type Operation } from "../../operations/operation.ts";

const tag = "Live";
const path = "/api/console/live/";
const auth = "operator";
/** Who may answer visitors. */
const role = "answers";

const operatorOf = ({ organizationId, session }: OperatorCaller): Operator => ({
  accountId: session.accountId,
  organizationId,
  username: session.username,
});

const done = (description: string) => ({ status: 204, description }) as const;

type People = Pick<Sessions, "people">;

function presenceRoutes(sessions: People): Operation[] {
  return [
    operation({
      method: "GET",
      path: `${path}stream/`,
      id: "streamLive",
      tag,
      summary: "Stream the conversations that go on, and the lines of one of them",
      auth,
      query: { schema: liveQuerySchema },
      answer: {
        status: 200,
        description: "Server-sent events",
        contentType: "text/event-stream",
        headers: eventStreamHeaders,
      },
      handler({ caller, query, signal }) {
        const abort = new AbortController();
        const either = AbortSignal.any([abort.signal, signal]);
        return eventStream(sessions.people.operator(operatorOf(caller), query.session, either), abort);
      },
    }),
    operation({
      method: "PUT",
      path: `${path}presence/`,
      id: "setPresence",
      tag,
      summary: "Say that you are there for visitors, for how long and by what name, or that you are not",
      auth,
      role,
      changesNothing: true,
      body: { schema: presenceChangeSchema },
      answer: done("It was noted"),
      handler: ({ caller, body: { minutes, name } }) =>
        sessions.people.desk.setPresence(operatorOf(caller), minutes, name),
    }),
    operation({
      method: "POST",
      path: `${path}alive/`,
      id: "keepAnswering",
      tag,
      summary: "Show that your console still reaches the service; without it the avatar goes on after 20 s",
      auth,
      role,
      changesNothing: true,
      answer: done("It was noted"),
      handler: ({ caller }) => sessions.people.alive(operatorOf(caller)),
    }),
  ];
}

function takeRoute(sessions: People): Operation {
  return operation({
    method: "POST",
    path: `${path}:session/take/`,
    id: "takeOverConversation",
    tag,
    summary: "Answer a conversation in place of its avatar",
    auth,
    role,
    body: { schema: takeSchema },
    answer: done("You answer it now"),
    otherAnswers: {
      409: { description: "Somebody else answers it (code `taken`)", schema: errorBodySchema },
    },
    async handler({ caller, params, body: { from = null } }) {
      const other = await sessions.people.desk.take(operatorOf(caller), params.session, from);
      if (other === null) return undefined;
      const detail = `${other.name} answers this conversation.`;
      return new OtherAnswer(409, { type: "client_error", errors: [{ code: "taken", detail, attr: null }] });
    },
  });
}

function answeringRoutes(sessions: People): Operation[] {
  return [
    operation({
      method: "POST",
      path: `${path}:session/messages/`,
      id: "sendPersonMessage",
      tag,
      summary: "Write to the visitor of a conversation that you answer",
      auth,
      role,
      changesNothing: true,
      body: { schema: personMessageSchema },
      answer: done("It is on its way to the visitor"),
      handler: ({ caller, params, body }) =>
        sessions.people.desk.message(operatorOf(caller), params.session, body.text),
    }),
    operation({
      method: "POST",
      path: `${path}:session/writing/`,
      id: "showWriting",
      tag,
      summary: "Show the visitor that you are writing, for the next 5 s",
      auth,
      role,
      changesNothing: true,
      answer: done("It was noted"),
      handler: ({ caller, params }) => sessions.people.desk.writing(operatorOf(caller), params.session),
    }),
    operation({
      method: "POST",
      path: `${path}:session/whisper/`,
      id: "whisper",
      tag,
      summary: "Give the avatar words to say now, or a fact to know from now on",
      auth,
      role,
      body: { schema: whisperSchema },
      answer: done("It was passed on"),
      handler: ({ caller, params, body: { text, how } }) =>
        sessions.people.desk.whisper(operatorOf(caller), params.session, text, how === "say"),
    }),
    operation({
      method: "POST",
      path: `${path}:session/hand-back/`,
      id: "handBackConversation",
      tag,
      summary: "Give a conversation back to its avatar, with what it should know",
      auth,
      role,
      body: { schema: handBackSchema },
      answer: done("The avatar answers again"),
      handler: ({ caller, params, body: { summary } }) =>
        sessions.people.desk.leave(operatorOf(caller), params.session, summary),
    }),
  ];
}

/** Conversations as they go on, and people who join them. */
export function liveRoutes(sessions: People): Operation[] {
  return [...presenceRoutes(sessions), takeRoute(sessions), ...answeringRoutes(sessions)];
}
