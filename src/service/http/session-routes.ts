import type { Context, Hono } from "hono";
import { exchangeRequestSchema } from "../../protocol/exchange.ts";
import { sessionCreatedSchema, sessionCreateSchema, sessionRetrievedSchema } from "../../protocol/session.ts";
import { ttsRequestSchema } from "../../protocol/speech.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { operation } from "./operation.ts";
import type { FormFields } from "./request-fields.ts";
import { readLiveSessionFields } from "./session-body.ts";
import { pathPart, route } from "./routing.ts";
import { withIdentifiers } from "./session-create-fields.ts";
import { validated } from "./validation.ts";
import { visit } from "./visit.ts";

const createForm: FormFields = {
  lists: ["capability", "mcp_servers"],
  numbers: ["padding_left", "padding_top", "padding_height"],
  looseStructures: ["extra_data"],
};

/** An offer of 64 KiB with its line ends escaped, and the structure around it. */
const exchangeMaxBytes = 128 * 1024;

/**
 * Create, retrieve and the media of a session (interface specification, Session lifecycle and operations).
 *
 * @param visitorAddress where a visitor's own request came from; null where it cannot be told
 */
export function sessionRoutes(
  app: Hono,
  sessions: Sessions,
  visitorAddress: (context: Context) => string | null,
): void {
  route(app, "/api/v1/session/", {
    POST: operation(
      {
        id: "createSession",
        tag: "Sessions",
        summary: "Create a session",
        access: "key",
        body: { schema: sessionCreateSchema, form: createForm, prepare: withIdentifiers },
        answer: { status: 201, description: "The session as created", schema: sessionCreatedSchema },
      },
      ({ caller, body }) => sessions.create(caller.organizationId, body),
    ),
  });
  route(app, "/api/v1/session/:session/", {
    GET: operation(
      {
        id: "retrieveSession",
        tag: "Sessions",
        summary: "Retrieve a session with everything that it names",
        access: "session",
        answer: { status: 200, description: "The session", schema: sessionRetrievedSchema },
      },
      ({ context }) => {
        const { identity } = visit(context);
        const keyOf = identity.by === "key" ? identity.organizationId : null;
        return sessions.retrieve(pathPart(context, "session"), keyOf);
      },
    ),
  });
  route(app, "/api/v1/session/:session/ice-servers/", {
    GET: async (context) =>
      context.json({ ice_servers: await sessions.iceServers(pathPart(context, "session")) }),
  });
  route(app, "/api/v1/session/:session/exchange/", {
    POST: async (context) => {
      const { fields } = await readLiveSessionFields(context, sessions, {
        form: { structures: ["client_sdp", "video"] },
        maxBytes: exchangeMaxBytes,
      });
      const request = validated(exchangeRequestSchema, fields);
      return context.json(
        await sessions.exchange(pathPart(context, "session"), request, visitorAddress(context)),
      );
    },
  });
  route(app, "/api/v1/session/:session/tts/", {
    POST: async (context) => {
      const { fields } = await readLiveSessionFields(context, sessions, { form: {} });
      const request = validated(ttsRequestSchema, fields);
      const { signal } = context.req.raw;
      return context.json(await sessions.speak(pathPart(context, "session"), request, signal));
    },
  });
}
