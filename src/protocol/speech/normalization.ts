import * as z from "zod/mini";

/** The longest text that the normalize operation accepts, in characters. */
export const normalizeTextMaxLength = 10_000;

/** Body of POST …/text_normalization_config/{config_id}/normalize/. */
export const normalizeRequestSchema = z.object({
  text: z.string().check(z.minLength(1), z.maxLength(normalizeTextMaxLength)),
  locale: z.optional(z.nullable(z.string().check(z.maxLength(35)))),
});
export type NormalizeRequest = z.infer<typeof normalizeRequestSchema>;

export const normalizeResponseSchema = z.object({ normalized_text: z.string() });
export type NormalizeResponse = z.infer<typeof normalizeResponseSchema>;
