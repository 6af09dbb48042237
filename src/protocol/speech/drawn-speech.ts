import * as z from "zod/mini";
import { timedWordSchema } from "./timed-word.ts";
import { timedVisemeSchema } from "./timed-viseme.ts";

/** A stressed word; `start` and `end` in ms from the beginning of the speech, `strength` 0.4 to 1. */
export const timedAccentSchema = z.object({ start: z.number(), end: z.number(), strength: z.number() });

/**
 * What `stf` says of a speech besides its text, for clients that draw the avatar themselves: an extension of ours. Each part may be
 * missing.
 */
export const drawnSpeechSchema = z.object({
  words: z.optional(z.array(timedWordSchema)),
  visemes: z.optional(z.array(timedVisemeSchema)),
  accents: z.optional(z.array(timedAccentSchema)),
  /** How loud the speech is: a value from 0 to 1 for each 20 ms. */
  loudness: z.optional(z.array(z.number())),
});
export type DrawnSpeech = z.infer<typeof drawnSpeechSchema>;
