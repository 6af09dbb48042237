import * as z from "zod/mini";
import { speechTextMaxLength } from "./speech-limits.ts";
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
