import * as z from "zod";

/** The rules of a text normalization config as stored in the database. Callers do not read them in this form. */
export const normalizationRulesSchema = z.object({
  rules: z
    .array(
      z.object({
        order: z.number(),
        pattern: z.string(),
        replacement: z.string(),
        locale: z.string().nullable().default(null),
        description: z.string().optional(),
      }),
    )
    .default([]),
});
