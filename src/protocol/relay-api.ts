import * as z from "zod/mini";
import { earlyUiSchema, placementSchema, variantSchema } from "./ui-config.ts";
import { answerSchema, offerSchema, videoAnswerSchema, videoRequestSchema } from "./exchange.ts";
import { iceServerSchema } from "./ice.ts";
import { variablesSchema } from "./variables.ts";
import { matteSchema, paddingsSchema } from "./stage-settings.ts";

/**
 * What the loader needs to draw the launcher (GET /embed/v1/contexts/{context_id}/launcher; at most 8 KiB, cacheable).
 * `still` is a data: URI of a square picture with the eyes at 40 % of its height, or the address of the large one for a frame in the
 * page; `picture` is its address, for pages whose policy allows no data: images. `styles` is what its own style sheet is completed
 * with: the owner's colour, and the look of a frame. `widget` is the path of the widget's module.
 */
export const launcherRecordSchema = z.object({
  context_id: z.string(),
  name: z.string(),
  title: z.string(),
  subtitle: z.string(),
  /** What the launcher says when it is pressed without a network. */
  offline: z.string(),
  variant: variantSchema,
  placement: placementSchema,
  theme: z.enum(["auto", "light", "dark"]),
  /** The widget is loaded when the page is idle. Absent: when the visitor reaches for the launcher. */
  prefetch: z.optional(z.literal("idle")),
  styles: z.string(),
  still: z.nullable(z.string()),
  picture: z.string(),
  widget: z.string(),
});
export type LauncherRecord = z.infer<typeof launcherRecordSchema>;

/**
 * What a browser may know about a context (GET /embed/v1/contexts/{context_id}; ETag). No instructions, no tool servers,
 * no origins, no service address. `poster` and `background` are URLs under the relay; `direct` says that the service can
 * be reached without waiting for relay candidates. `analytics`, `retention_days` and `attachments` are kept as they are, and
 * read when they are needed (`late-settings.ts`, `attachment.ts`).
 */
export const publicContextSchema = z.looseObject({
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
  /** Only the paddings that the owner has set. Without any, the layout of the widget places the avatar. */
  stage: z.extend(z.partial(paddingsSchema), { transparent: z.boolean() }),
  ui: earlyUiSchema,
  idle_timeout_sec: z.number(),
  max_session_sec: z.number(),
  /** Whether a conversation goes on after a page load in the same tab. A relay that does not say keeps none. */
  persist: z.optional(z.enum(["off", "tab"])),
  direct: z.boolean(),
  /** Who draws the avatar, where the visitor's browser can; its file is in `drawing` (`drawing-settings.ts`). */
  render: z.optional(z.string()),
  /** What concerns the visitor's voice (`voice-settings.ts`), which is read when it is needed. */
  voice: z.optional(z.unknown()),
});
export type PublicContext = z.infer<typeof publicContextSchema>;

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
