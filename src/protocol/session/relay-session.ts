import * as z from "zod/mini";
import { answerSchema, offerSchema, videoAnswerSchema, videoRequestSchema } from "./exchange.ts";
import { iceServerSchema } from "./ice.ts";
import { variablesSchema } from "./variables.ts";

/** Body of POST /embed/v1/sessions. Without `client_sdp` the session is created and exchanged later. */
export const relaySessionRequestSchema = z.object({
  context_id: z.string().check(z.minLength(1), z.maxLength(100)),
  client_sdp: z.optional(offerSchema),
  /** The requested form of the video. Default: a finished picture. */
  video: z.optional(videoRequestSchema),
  locale: z.optional(z.string().check(z.maxLength(35))),
  /** How the widget uses the session. */
  mode: z._default(z.enum(["avatar", "voice", "text"]), "avatar"),
  /** A random id that the browser stores, for limits per visitor. */
  visitor_id: z.optional(z.string().check(z.regex(/^[A-Za-z0-9_-]{8,64}$/))),
  variables: z.optional(variablesSchema),
});
export type RelaySessionRequest = z.infer<typeof relaySessionRequestSchema>;

/** Answer of POST /embed/v1/sessions: everything for media in one round trip. `expires_at` in ISO 8601. */
export const relaySessionResponseSchema = z.object({
  session: z.object({ session_id: z.string(), status: z.string(), created_at: z.string() }),
  server_sdp: z.nullable(answerSchema),
  /** How the video is sent, if the service reports it. */
  video: z.optional(videoAnswerSchema),
  ice_servers: z.array(iceServerSchema),
  token: z.string(),
  expires_at: z.string(),
});
export type RelaySessionResponse = z.infer<typeof relaySessionResponseSchema>;

/** Response header with which the relay refreshes a session's token on a heartbeat. */
export const refreshedTokenHeader = "x-visavis-token";

/**
 * Request header with which a relay proves to our service that it belongs to the same installation. It is valid only for the
 * paths of one session. Browsers never see its value.
 */
export const relayTokenHeader = "Visavis-Relay-Token";
