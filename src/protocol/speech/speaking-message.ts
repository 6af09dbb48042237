import * as z from "zod/mini";

/** What a frame of a page tells the page's other frames of its avatars. It holds nothing of the visitor's. */
export const speakingMessageSchema = z.object({
  source: z.literal("visavis-speaking"),
  /** When the avatar that speaks began, in ms since 1970; 0: none speaks or waits. */
  begunAt: z.number(),
});
export type SpeakingMessage = z.infer<typeof speakingMessageSchema>;
