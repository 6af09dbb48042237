import * as z from "zod/mini";

/** What the viewer (the iframe page) posts to its parent: the element's events (product contract). */
export const viewerEventSchema = z.object({
  source: z.literal("visavis"),
  type: z.string(),
  detail: z.unknown(),
});
export type ViewerEvent = z.infer<typeof viewerEventSchema>;

/** Commands a parent page may give: the element's methods. */
export const viewerCommands = [
  "open",
  "close",
  "start",
  "end",
  "send",
  "say",
  "interrupt",
  "mute",
  "unmute",
  "setVariables",
] as const;
export type ViewerCommandName = (typeof viewerCommands)[number];

/** A parent's message to the viewer. */
export const viewerCommandSchema = z.object({
  target: z.literal("visavis"),
  command: z.enum(viewerCommands),
  args: z._default(z.array(z.unknown()).check(z.maxLength(4)), []),
});
export type ViewerCommand = z.infer<typeof viewerCommandSchema>;
