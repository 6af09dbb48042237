import * as z from "zod/mini";

// Apart from the other schemas of speech: browsers load it only where they draw the avatar themselves.

/** The fifteen mouth shapes of the OVR set. Speech timings use them. */
export const visemes = [
  "sil",
  "PP",
  "FF",
  "TH",
  "DD",
  "kk",
  "CH",
  "SS",
  "nn",
  "RR",
  "aa",
  "E",
  "ih",
  "oh",
  "ou",
] as const;
export type Viseme = (typeof visemes)[number];

/** A mouth shape and its time in the audio; `start` and `end` in ms. */
export const timedVisemeSchema = z.object({ viseme: z.enum(visemes), start: z.number(), end: z.number() });
export type TimedViseme = z.infer<typeof timedVisemeSchema>;
