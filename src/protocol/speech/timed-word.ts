import * as z from "zod/mini";

/** A word of an utterance and its time in the audio; `start` and `end` in ms from the utterance's first sample. */
export const timedWordSchema = z.object({ text: z.string(), start: z.number(), end: z.number() });
export type TimedWord = z.infer<typeof timedWordSchema>;
