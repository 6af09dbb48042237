import * as z from "zod";
import { placementSchema, variantSchema } from "../../../protocol/settings/ui-config.ts";

// The messages between the editor and its preview, which is a page of its own in a frame.

const paddings = z.object({
  padding_left: z.number(),
  padding_top: z.number(),
  padding_height: z.number(),
});

const attributes = z.object({
  variant: variantSchema,
  placement: placementSchema,
  theme: z.enum(["light", "dark"]),
  captions: z.enum(["true", "false"]),
  transparent: z.boolean(),
  paddings: paddings.partial(),
});

/**
 * A state of a conversation that the preview shows without one. `words`: what the avatar says or has said. `busy`: as many visitors talk
 * as may.
 */
const poseSchema = z.object({ kind: z.enum(["speaking", "ready", "busy"]), words: z.string() });
export type Pose = z.infer<typeof poseSchema>;

/** What the preview shows. Attributes of the element hold at once; everything else comes with another embed key. */
export const previewShowSchema = z.object({
  type: z.literal("visavis-preview"),
  /** Null: none yet. */
  contextId: z.string().nullable(),
  attributes,
  /** The panel, or the launcher before it is opened. */
  view: z.enum(["panel", "launcher"]),
  /** Picture and voice, or writing only. */
  mode: z.enum(["avatar", "text"]),
  /** Null: the element as visitors find it. */
  pose: poseSchema.nullable(),
  /** The operator may use the element as a visitor does. Otherwise it is only looked at. */
  isEntered: z.boolean(),
  /** Counts how often a conversation was begun again with the latest settings. */
  run: z.number(),
  owner: z.string(),
  /** Labels of the handles that frame the avatar; null: it cannot be moved. */
  framing: z.object({ move: z.string(), resize: z.string() }).nullable(),
});
export type PreviewShow = z.infer<typeof previewShowSchema>;

/** What the preview tells the editor. */
export const previewReportSchema = z.discriminatedUnion("type", [
  /** It waits for what to show. */
  z.object({ type: z.literal("visavis-preview-ready") }),
  /** The element of this key is drawn. */
  z.object({ type: z.literal("visavis-preview-shown"), contextId: z.string() }),
  z.object({ type: z.literal("visavis-preview-failed"), contextId: z.string() }),
  /** A conversation runs, so the element stays as it was before the latest changes. */
  z.object({ type: z.literal("visavis-preview-behind") }),
  /** The avatar was dragged or moved by keys. */
  z.object({ type: z.literal("visavis-preview-framing"), paddings }),
  /** An answer has begun, that long after its question. */
  z.object({ type: z.literal("visavis-preview-answer"), ms: z.number() }),
]);
export type PreviewReport = z.infer<typeof previewReportSchema>;
