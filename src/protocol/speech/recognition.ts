import * as z from "zod/mini";

/** The largest accepted audio file, in bytes. */
export const recognitionAudioMaxBytes = 25 * 1024 * 1024;

/** Fields of POST …/stt/ in addition to the file `audio`. */
export const sttRequestSchema = z.object({
  language: z.optional(z.string().check(z.maxLength(35))),
});
export type SttRequest = z.infer<typeof sttRequestSchema>;

/** Answer of POST …/stt/: the recognised text, and the same text normalized by the session's config. */
export const sttResponseSchema = z.object({
  text: z.string(),
  locale: z.nullable(z.string()),
  normalized_text: z.string(),
});
export type SttResponse = z.infer<typeof sttResponseSchema>;
