import * as z from "zod/mini";

/** Who draws the avatar: the service as video, the visitor's browser, or whichever suits the browser. */
export const drawers = ["auto", "local", "remote"] as const;
export type Drawer = (typeof drawers)[number];

/** Who draws where nobody has said it. */
export const defaultDrawer: Drawer = "auto";

/** What a browser needs to draw the avatar itself: part of a context's public view. */
export const drawingSettingsSchema = z.object({
  /** The address of the character's file. */
  character: z.string(),
});
export type DrawingSettings = z.infer<typeof drawingSettingsSchema>;

/** Whether a text names one that can draw. */
export function isDrawer(text: string | undefined): text is Drawer {
  return drawers.some((drawer) => drawer === text);
}
