import {
  exchangeRequestSchema,
  exchangeResponseSchema,
  leaveResponseSchema,
} from "../../../protocol/exchange.ts";
import { iceServersSchema } from "../../../protocol/ice.ts";
import {
  sessionCreatedSchema,
  sessionCreateSchema,
  sessionRetrievedSchema,
} from "../../../protocol/session.ts";
import { ttsRequestSchema, ttsResponseSchema } from "../../../protocol/speech.ts";
import type { Sessions } from "../../sessions/sessions.ts";
import { requireLiveSession } from "../body/live-session.ts";
import { withIdentifiers } from "../body/session-create-fields.ts";
import type { HttpContext } from "../http-environment.ts";
import { operation } from "../operations/operation.ts";
import type { Operation } from "../operations/operation.ts";

/** An offer of 64 KiB with its line ends escaped, and the structure around it. */
const exchangeMaxBytes = 128 * 1024;

const createSession = (sessions: Sessions): Operation =>
  operation({
    method: "POST",
    path: "/api/v1/session/",
    id: "createSession",
    tag: "Sessions",
    summary: "Create a session",
    auth: "key",
    body: {
      schema: sessionCreateSchema,
      form: {
        lists: ["capability", "mcp_servers"],
        numbers: ["padding_left", "padding_top", "padding_height"],
        looseStructures: ["extra_data"],
      },
      prepare: withIdentifiers,
      furtherErrors: ({ organizationId }, fields) => sessions.furtherCreateFaults(organizationId, fields),
    },
    answer: { status: 201, description: "The session as created", schema: sessionCreatedSchema },
    handler: ({ caller, body }) => sessions.create(caller.organizationId, body),
  });

const retrieveSession = (sessions: Sessions): Operation =>
  operation({
    method: "GET",
    path: "/api/v1/session/:session/",
    id: "retrieveSession",
    tag: "Sessions",
    summary: "Retrieve a session with everything that it names",
    auth: "session",
    answer: { status: 200, description: "The session", schema: sessionRetrievedSchema },
    handler({ context, params }) {
      const { identity } = context.get("authentication");
      const keyOf = identity.by === "key" ? identity.organizationId : null;
      return sessions.retrieve(params.session, keyOf);
    },
  });

const listIceServers = (sessions: Sessions): Operation =>
  operation({
    method: "GET",
    path: "/api/v1/session/:session/ice-servers/",
    id: "listIceServers",
    tag: "Session operations",
    summary: "List the STUN and TURN servers for this session",
    auth: "session",
    answer: { status: 200, description: "The servers", schema: iceServersSchema },
    handler: async ({ params }) => ({ ice_servers: [...(await sessions.iceServers(params.session))] }),
  });

const exchangeDescriptions = (
  sessions: Sessions,
  visitorAddress: (context: HttpContext) => string | null,
): Operation =>
  operation({
    method: "POST",
    path: "/api/v1/session/:session/exchange/",
    id: "exchangeDescriptions",
    tag: "Session operations",
    summary: "Exchange session descriptions; a further call renegotiates or restarts ICE",
    auth: "session",
    body: {
      schema: exchangeRequestSchema,
      form: { structures: ["client_sdp", "video"] },
      maxBytes: exchangeMaxBytes,
      beforeReading: requireLiveSession(sessions),
    },
    answer: { status: 200, description: "The service's answer", schema: exchangeResponseSchema },
    handler: ({ context, params, body }) => sessions.exchange(params.session, body, visitorAddress(context)),
  });

const leaveSession = (sessions: Sessions): Operation =>
  operation({
    method: "POST",
    path: "/api/v1/session/:session/leave/",
    id: "leaveSession",
    tag: "Session operations",
    summary:
      "Announce that the session's page goes away: it ends 10 s later unless an exchange or event comes first",
    auth: "session",
    answer: { status: 200, description: "When the session ends", schema: leaveResponseSchema },
    handler: ({ params }) => sessions.leave(params.session),
  });

const speak = (sessions: Sessions): Operation =>
  operation({
    method: "POST",
    path: "/api/v1/session/:session/tts/",
    id: "speak",
    tag: "Session operations",
    summary: "Speak a text with the session's voice",
    auth: "session",
    body: {
      schema: ttsRequestSchema,
      form: { numbers: ["rate"] },
      beforeReading: requireLiveSession(sessions),
    },
    answer: {
      status: 200,
      description: "The audio with its words and visemes",
      schema: ttsResponseSchema,
    },
    handler: ({ params, body, signal }) => sessions.speak(params.session, body, signal),
  });

/**
 * Creating, retrieving and connecting a session, and its voice (interface specification, Session lifecycle and operations).
 *
 * @param visitorAddress the address of a visitor who calls directly; null where it is unknown
 */
export function sessionRoutes(
  sessions: Sessions,
  visitorAddress: (context: HttpContext) => string | null,
): Operation[] {
  return [
    createSession(sessions),
    retrieveSession(sessions),
    listIceServers(sessions),
    exchangeDescriptions(sessions, visitorAddress),
    leaveSession(sessions),
    speak(sessions),
  ];
}
