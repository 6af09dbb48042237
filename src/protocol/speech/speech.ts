import * as z from "zod/mini";
import { timedAccentSchema } from "./drawn-speech.ts";
import { speechTextMaxLength, voiceFactorSchema } from "./speech-limits.ts";
import { timedVisemeSchema } from "./timed-viseme.ts";
import { timedWordSchema } from "./timed-word.ts";

export * from "./speech-limits.ts";
export * from "./timed-viseme.ts";
export * from "./timed-word.ts";

/** Body of POST …/tts/. */
export const ttsRequestSchema = z.object({
  text: z.string().check(z.minLength(1), z.maxLength(speechTextMaxLength)),
  locale: z.optional(z.string().check(z.maxLength(10))),
  output_format: z.optional(z.enum(["wav", "mp3"])),
  /** How fast it is spoken, times the owner's rate: an extension of ours. */
  rate: z.optional(voiceFactorSchema),
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
  /** Stressed words, and a value from 0 to 1 for each 20 ms: as in the notices of a connection. */
  accents: z.array(timedAccentSchema),
  loudness: z.array(z.number()),
});
export type TtsResponse = z.infer<typeof ttsResponseSchema>;
