import {
  eventFileMaxBytes,
  sessionEventAnswerSchema,
  sessionEventListSchema,
  sessionEventRequestSchema,
} from "../../../protocol/session/session-event-request.ts";
import { pageQuerySchema } from "../../../protocol/schema/paging.ts";
import type { Sessions } from "../../sessions/sessions.ts";
import { bodyMaxBytes } from "../body/request-fields.ts";
import type { HttpContext } from "../http-environment.ts";
import { requireSession } from "../middleware/authentication.ts";
import { requestHeader } from "../node-request.ts";
import { listOperation } from "../operations/list-operation.ts";
import type { BodyLimit } from "../operations/operation-body.ts";
import { operation, type Operation } from "../operations/operation.ts";

/** The limit for an event's file, before the body is read. Only multipart bodies contain one. */
async function fileLimit(
  sessions: Sessions,
  context: HttpContext,
  sessionId: string,
): Promise<BodyLimit | undefined> {
  requireSession(context);
  if (!/^multipart\//i.test(requestHeader(context, "content-type") ?? "")) return undefined;
  const { maxBytes, refusal } = await sessions.eventFileRoom(sessionId);
  return { maxBytes: maxBytes + bodyMaxBytes, refusal };
}

const createEvent = (sessions: Sessions): Operation =>
  operation({
    method: "POST",
    path: "/api/v1/session/:session/event/create/",
    id: "createSessionEvent",
    tag: "Sessions",
    summary: "Report a lifecycle event",
    auth: "session",
    body: {
      schema: sessionEventRequestSchema,
      files: { file: { description: "A file that belongs to the event", maxBytes: eventFileMaxBytes } },
      maxBytes: eventFileMaxBytes + bodyMaxBytes,
      beforeReading: (context, params) => fileLimit(sessions, context, params.session),
    },
    answer: { status: 201, description: "The event as stored", schema: sessionEventAnswerSchema },
    handler: ({ params, body: { event, detail }, files }) =>
      sessions.report(params.session, { event, detail: detail ?? null, file: files.get("file") ?? null }),
  });

const listEvents = (sessions: Sessions): Operation =>
  listOperation({
    path: "/api/v1/session/:session/event/",
    id: "listSessionEvents",
    tag: "Sessions",
    summary: "List a session's events",
    auth: "key",
    query: pageQuerySchema,
    description: "The events in the order they were stored",
    schema: sessionEventListSchema,
    read: ({ caller, params }, page) => sessions.events(caller.organizationId, params.session, page),
  });

const downloadFile = (sessions: Sessions): Operation =>
  operation({
    method: "GET",
    path: "/api/v1/session/:session/event/:event/file/",
    id: "downloadSessionEventFile",
    tag: "Sessions",
    summary: "Download an event's file",
    auth: "session",
    answer: {
      status: 200,
      description: "The bytes",
      contentType: "application/octet-stream",
      // An uploaded file is never shown as a page of this origin.
      headers: { "Content-Disposition": "attachment", "X-Content-Type-Options": "nosniff" },
    },
    handler: ({ params }) => sessions.eventFile(params.session, params.event),
  });

/** Lifecycle events (interface specification, Session event). Reporting one needs no API key; listing them does. */
export function eventRoutes(sessions: Sessions): Operation[] {
  return [createEvent(sessions), listEvents(sessions), downloadFile(sessions)];
}
