import * as z from "zod/mini";

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

/** A word of an utterance and its time in the audio; `start` and `end` in ms from the utterance's first sample. */
export const timedWordSchema = z.object({ text: z.string(), start: z.number(), end: z.number() });
export type TimedWord = z.infer<typeof timedWordSchema>;

/** A mouth shape and its time in the audio; `start` and `end` in ms. */
export const timedVisemeSchema = z.object({ viseme: z.enum(visemes), start: z.number(), end: z.number() });
export type TimedViseme = z.infer<typeof timedVisemeSchema>;

/** The longest text that is spoken in one piece, in characters. */
export const speechTextMaxLength = 5_000;

/** How far the rate and the pitch of a voice may be from its own, as factors. */
export const voiceFactorMin = 0.5;
export const voiceFactorMax = 2;

/** How fast or how high a voice speaks; 1 is its own rate or pitch. */
export const voiceFactorSchema = z.number().check(z.gte(voiceFactorMin), z.lte(voiceFactorMax));

/** Body of POST …/tts/. */
export const ttsRequestSchema = z.object({
  text: z.string().check(z.minLength(1), z.maxLength(speechTextMaxLength)),
  locale: z.optional(z.string().check(z.maxLength(10))),
  output_format: z.optional(z.enum(["wav", "mp3"])),
});
export type TtsRequest = z.infer<typeof ttsRequestSchema>;

/**
 * Answer of POST …/tts/: base64 audio, its format (MP3 if it was requested and the voice supports it), and the timings that
 * a caller's own renderer needs.
 */
export const ttsResponseSchema = z.object({
  audio: z.string(),
  format: z.enum(["wav", "mp3"]),
  words: z.array(timedWordSchema),
  visemes: z.array(timedVisemeSchema),
});
export type TtsResponse = z.infer<typeof ttsResponseSchema>;
