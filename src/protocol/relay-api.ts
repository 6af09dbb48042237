import * as z from "zod/mini";
import { cssColorSchema, placementSchema, uiConfigSchema, variantSchema } from "./embed-config.ts";
import { answerSchema, offerSchema, videoAnswerSchema, videoRequestSchema } from "./exchange.ts";
import { iceServerSchema } from "./ice.ts";
import { variablesSchema } from "./llm-stream.ts";
import { matteSchema, paddingsSchema } from "./stage-settings.ts";

/**
 * What the loader needs to draw the launcher (GET /embed/v1/contexts/{context_id}/launcher; at most 8 KiB, cacheable).
 * `still` is a data: URI of a square picture, eyes at 40 % of its height; `widget` the path of the widget's module.
 */
export const launcherRecordSchema = z.object({
  context_id: z.string(),
  name: z.string(),
  title: z.string(),
  subtitle: z.string(),
  hide_label: z.string(),
  variant: variantSchema,
  placement: placementSchema,
  theme: z.enum(["auto", "light", "dark"]),
  brand_color: z.nullable(cssColorSchema),
  still: z.nullable(z.string()),
  widget: z.string(),
});
export type LauncherRecord = z.infer<typeof launcherRecordSchema>;

/**
 * What a browser may know of a context (GET /embed/v1/contexts/{context_id}; ETag). No instructions, no tool servers,
 * no origins, no service address. `poster` and `background` are URLs under the relay; `direct` says that the service can
 * be reached without waiting for relay candidates.
 */
export const publicContextSchema = z.object({
  context_id: z.string(),
  name: z.string(),
  avatar_name: z.string(),
  greeting: z.string(),
  model_style: z.object({
    name: z.string(),
    matte: matteSchema,
    poster: z.nullable(z.string()),
    still: z.nullable(z.string()),
  }),
  background: z.nullable(z.string()),
  /** Paddings only where the owner has set them: without any the widget frames the avatar by its layout. */
  stage: z.extend(z.partial(paddingsSchema), { transparent: z.boolean() }),
  ui: uiConfigSchema,
  idle_timeout_sec: z.number(),
  max_session_sec: z.number(),
  direct: z.boolean(),
});
export type PublicContext = z.infer<typeof publicContextSchema>;

/** Body of POST /embed/v1/sessions. Without `client_sdp` the session is created and exchanged later. */
export const relaySessionRequestSchema = z.object({
  context_id: z.string().check(z.minLength(1), z.maxLength(100)),
  client_sdp: z.optional(offerSchema),
  /** How the offer's video is wanted; left out, it is finished. */
  video: z.optional(videoRequestSchema),
  locale: z.optional(z.string().check(z.maxLength(35))),
  /** What the widget wants of the session. */
  mode: z._default(z.enum(["avatar", "voice", "text"]), "avatar"),
  /** A random name the browser keeps, for limits by visitor. */
  visitor_id: z.optional(z.string().check(z.regex(/^[A-Za-z0-9_-]{8,64}$/))),
  variables: z.optional(variablesSchema),
});
export type RelaySessionRequest = z.infer<typeof relaySessionRequestSchema>;

/** Answer of POST /embed/v1/sessions: everything for media in one round trip. `expires_at` in ISO 8601. */
export const relaySessionResponseSchema = z.object({
  session: z.object({ session_id: z.string(), status: z.string(), created_at: z.string() }),
  server_sdp: z.nullable(answerSchema),
  /** How the video is sent, where the service says so. */
  video: z.optional(videoAnswerSchema),
  ice_servers: z.array(iceServerSchema),
  token: z.string(),
  expires_at: z.string(),
});
export type RelaySessionResponse = z.infer<typeof relaySessionResponseSchema>;

/** Response header with which the relay refreshes a session's token on a heartbeat. */
export const refreshedTokenHeader = "x-visavis-token";
