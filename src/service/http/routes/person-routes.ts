import * as z from "zod";
import { personRequestSchema } from "../../../protocol/session/person.ts";
import { visitorMessageSchema } from "../../../protocol/session/visitor-message.ts";
import type { Sessions } from "../../sessions/sessions.ts";
import { eventStream, eventStreamHeaders } from "../answers/event-stream.ts";
import { operation, type Operation } from "../operations/operation.ts";

/** Query of the stream: the last line that the page has, and what the visitor looks at. */
const placeSchema = z.object({
  after: z.number().int().min(0).optional(),
  page: z.string().max(500).default(""),
  path: z.string().max(2_000).default(""),
});

/** The visitor's side of people who join conversations. */
export function personRoutes(sessions: Pick<Sessions, "people">): Operation[] {
  const path = "/api/v1/session/:session/person/";
  return [
    operation({
      method: "GET",
      path,
      id: "streamPerson",
      tag: "Session operations",
      summary: "Stream whether a person is there or has joined, and their words",
      auth: "session",
      query: { schema: placeSchema, form: { numbers: ["after"] } },
      answer: {
        status: 200,
        description: "Server-sent events",
        contentType: "text/event-stream",
        headers: eventStreamHeaders,
      },
      async handler({ params, query: { after = null, page, path: visited }, signal }) {
        const abort = new AbortController();
        const either = AbortSignal.any([abort.signal, signal]);
        return eventStream(
          await sessions.people.visitor(params.session, { after, page, path: visited }, either),
          abort,
        );
      },
    }),
    operation({
      method: "POST",
      path,
      id: "askForPerson",
      tag: "Session operations",
      summary: "Ask for a person, or stop waiting for one",
      auth: "session",
      body: { schema: personRequestSchema, form: { booleans: ["wanted"] } },
      answer: { status: 204, description: "It was noted; the stream tells what comes of it" },
      handler: ({ params, body: { wanted } }) => sessions.people.want(params.session, wanted),
    }),
    operation({
      method: "POST",
      path: "/api/v1/session/:session/message/",
      id: "leaveMessage",
      tag: "Session operations",
      summary: "Leave a message for a person, during the session or after its end; at most 5",
      auth: "session",
      body: { schema: visitorMessageSchema, form: { booleans: ["agreed"] } },
      answer: { status: 204, description: "It is in the owner's inbox; sent again, it is not stored twice" },
      handler: ({ params, body }) => sessions.people.leaveMessage(params.session, body),
    }),
  ];
}
