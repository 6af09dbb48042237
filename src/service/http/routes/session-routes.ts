import {
  exchangeRequestSchema,
  exchangeResponseSchema,
  leaveResponseSchema,
} from "../../../protocol/session/exchange.ts";
import { iceServersSchema } from "../../../protocol/session/ice.ts";
import {
  sessionCreatedSchema,
  sessionCreateSchema,
  sessionRetrievedSchema,
} from "../../../protocol/session/session.ts";
import { ttsRequestSchema, ttsResponseSchema } from "../../../protocol/speech/speech.ts";
import type { Sessions } from "../../sessions/sessions.ts";
import { requireLiveSession } from "../body/live-session.ts";
import type { HttpContext } from "../http-environment.ts";
import { operation, type Operation } from "../operations/operation.ts";

/** For each field of a session create that names an object: the field of that object that identifies it. */
const identifierOf: Readonly<Record<string, string>> = {
  prompt: "prompt_id",
  document: "document_id",
  llm_type: "name",
  tts_type: "name",
  text_normalization_config: "textnormalizationconfig_id",
  stt_type: "name",
  stt_text_normalization_config: "textnormalizationconfig_id",
  model_style: "name",
  agent_config: "agentconfig_id",
  interactive_agent_config: "interactiveagentconfig_id",
  background_image: "backgroundimage_id",
};

/** Lists of a session create whose entries are answered as objects with a name. */
const namedLists = ["capability", "mcp_servers"];

/** The identifier of an object; any other value is returned as it is, for validation to judge. */
function named(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null) return value;
  const identifier: unknown = Object.getOwnPropertyDescriptor(value, key)?.value;
  return typeof identifier === "string" ? identifier : value;
}

/**
 * Replaces objects in the fields of a session create by their identifiers. Templates and retrieved sessions are answered
 * with objects, and clients send back what they received.
 */
function withIdentifiers(fields: Record<string, unknown>): Record<string, unknown> {
  const result = { ...fields };
  for (const [field, key] of Object.entries(identifierOf))
    if (Object.hasOwn(result, field)) result[field] = named(result[field], key);
  for (const field of namedLists) {
    const list = result[field];
    if (Array.isArray(list)) result[field] = list.map((entry: unknown) => named(entry, "name"));
  }
  return result;
}

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
