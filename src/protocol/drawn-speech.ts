import * as z from "zod/mini";
import { timedVisemeSchema, timedWordSchema } from "./speech.ts";

/** A stressed word; `start` and `end` in ms from the beginning of the speech, `strength` 0.4 to 1. */
const timedAccentSchema = z.object({ start: z.number(), end: z.number(), strength: z.number() });

/**
 * What `stf` says of a speech besides its text, for clients that draw the avatar themselves: an extension of ours. Each part may be
 * missing.
 */
export const drawnSpeechSchema = z.object({
  words: z._default(z.array(timedWordSchema), []),
  visemes: z._default(z.array(timedVisemeSchema), []),
  accents: z._default(z.array(timedAccentSchema), []),
  /** How loud the speech is: a value from 0 to 1 for each 20 ms. */
  loudness: z.optional(z.array(z.number())),
});
export type DrawnSpeech = z.infer<typeof drawnSpeechSchema>;
