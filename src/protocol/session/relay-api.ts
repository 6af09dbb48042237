import * as z from "zod/mini";
import { earlyUiSchema, placementSchema, variantSchema } from "../settings/ui-config.ts";
import { matteSchema, paddingsSchema } from "../settings/stage-settings.ts";

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
    /** Its square has kept what was behind the person: above it there would be a strip of another background. */
    opaque: z.optional(z.boolean()),
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
