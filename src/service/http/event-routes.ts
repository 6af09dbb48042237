import type { Hono } from "hono";
import { eventFileMaxBytes, sessionEventRequestSchema } from "../../protocol/session-event-request.ts";
import { Fault } from "../fault.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { ApiKeyCheck } from "./api-key-check.ts";
import { bodyMaxBytes, readRequestFields } from "./request-fields.ts";
import type { RequestFields } from "./request-fields.ts";
import { pathPart, route } from "./routing.ts";
import { validated } from "./validation.ts";

async function attachedFile({ fields, files }: RequestFields): Promise<Uint8Array | null> {
  const file = files.get("file");
  if (file === undefined) {
    // An empty form field means no file; text cannot be one.
    if (fields["file"] === undefined || fields["file"] === null || fields["file"] === "") return null;
    throw Fault.invalid("invalid", "The submitted data was not a file; use multipart/form-data.", "file");
  }
  if (file.size > eventFileMaxBytes)
    throw Fault.invalid("max_length", `The file is larger than ${eventFileMaxBytes} bytes.`, "file");
  return new Uint8Array(await file.arrayBuffer());
}

/** Lifecycle events (interface specification, Session event). Reporting one needs no key; reading them back does. */
export function eventRoutes(app: Hono, sessions: Sessions, checkApiKey: ApiKeyCheck): void {
  route(app, "/api/v1/session/:session/event/create/", {
    POST: async (context) => {
      const body = await readRequestFields(context.req.raw, {
        form: {},
        maxBytes: eventFileMaxBytes + bodyMaxBytes,
      });
      const { event, detail } = validated(sessionEventRequestSchema, body.fields);
      const report = { event, detail: detail ?? null, file: await attachedFile(body) };
      return context.json(await sessions.report(pathPart(context, "session"), report), 201);
    },
  });
  route(app, "/api/v1/session/:session/event/", {
    GET: async (context) => {
      const { organizationId } = await checkApiKey(context.req.raw.headers);
      return context.json(await sessions.events(organizationId, pathPart(context, "session")));
    },
  });
  route(app, "/api/v1/session/:session/event/:event/file/", {
    GET: async (context) => {
      const bytes = await sessions.eventFile(pathPart(context, "session"), pathPart(context, "event"));
      return context.body(new Uint8Array(bytes), 200, {
        "Content-Type": "application/octet-stream",
        // Whatever was uploaded is never shown as a page of this address.
        "Content-Disposition": "attachment",
        "X-Content-Type-Options": "nosniff",
      });
    },
  });
}
