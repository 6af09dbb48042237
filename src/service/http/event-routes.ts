import type { Context, Hono } from "hono";
import {
  eventFileMaxBytes,
  sessionEventListSchema,
  sessionEventRequestSchema,
} from "../../protocol/session-event-request.ts";
import { sessionEventSchema } from "../../protocol/session-event.ts";
import { Fault } from "../fault.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { requestHeader } from "./node-request.ts";
import { operation } from "./operation.ts";
import type { BodyRoom } from "./operation.ts";
import { bodyMaxBytes } from "./request-fields.ts";
import type { RequestFields } from "./request-fields.ts";
import { pathPart, route } from "./routing.ts";
import { requireSession } from "./visit.ts";

/** The bytes of a multipart body's file; null where there is none. Throws a Fault where it is larger than may be. */
function attachedFile(files: RequestFields["files"]): Uint8Array | null {
  const file = files.get("file");
  if (file === undefined) return null;
  if (file.length > eventFileMaxBytes)
    throw Fault.invalid("max_length", `The file is larger than ${eventFileMaxBytes} bytes.`, "file");
  return file;
}

/** How much a body may hold beside its file. */
const fieldsMaxBytes = bodyMaxBytes;

/** The room for an event's file, before the body is read; other bodies bring none. */
async function fileRoom(sessions: Sessions, context: Context): Promise<BodyRoom | undefined> {
  requireSession(context);
  if (!/^multipart\//i.test(requestHeader(context.req.raw, "content-type") ?? "")) return undefined;
  const { maxBytes, refusal } = await sessions.eventFileRoom(pathPart(context, "session"));
  return { maxBytes: maxBytes + fieldsMaxBytes, refusal };
}

function createRoute(app: Hono, sessions: Sessions): void {
  route(app, "/api/v1/session/:session/event/create/", {
    POST: operation(
      {
        id: "createSessionEvent",
        tag: "Sessions",
        summary: "Report a lifecycle event",
        access: "session",
        body: {
          schema: sessionEventRequestSchema,
          files: { file: { description: "Whatever belongs to the event", maxBytes: eventFileMaxBytes } },
          maxBytes: eventFileMaxBytes + fieldsMaxBytes,
          room: (context) => fileRoom(sessions, context),
        },
        answer: { status: 201, description: "The event as stored", schema: sessionEventSchema },
      },
      async ({ context, body: { event, detail }, files }) => {
        const report = { event, detail: detail ?? null, file: attachedFile(files) };
        return sessions.report(pathPart(context, "session"), report);
      },
    ),
  });
}

/** Lifecycle events (interface specification, Session event). Reporting one needs no key; reading them back does. */
export function eventRoutes(app: Hono, sessions: Sessions): void {
  createRoute(app, sessions);
  route(app, "/api/v1/session/:session/event/", {
    GET: operation(
      {
        id: "listSessionEvents",
        tag: "Sessions",
        summary: "List a session's events",
        access: "key",
        answer: {
          status: 200,
          description: "The events in the order they were stored",
          schema: sessionEventListSchema,
        },
      },
      ({ context, caller }) => sessions.events(caller.organizationId, pathPart(context, "session")),
    ),
  });
  route(app, "/api/v1/session/:session/event/:event/file/", {
    GET: operation(
      {
        id: "downloadSessionEventFile",
        tag: "Sessions",
        summary: "Download an event's file",
        access: "session",
        answer: { status: 200, description: "The bytes", contentType: "application/octet-stream" },
      },
      async ({ context }) => {
        const bytes = await sessions.eventFile(pathPart(context, "session"), pathPart(context, "event"));
        return context.body(new Uint8Array(bytes), 200, {
          "Content-Type": "application/octet-stream",
          // Whatever was uploaded is never shown as a page of this address.
          "Content-Disposition": "attachment",
          "X-Content-Type-Options": "nosniff",
        });
      },
    ),
  });
}
