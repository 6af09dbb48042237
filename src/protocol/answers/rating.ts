import * as z from "zod/mini";

/**
 * The visitor's verdict, in the `detail` of a SESSION_LOG event: `{"rating": {…}}`. An addition of ours. Services that do not
 * know it store a log entry.
 */
export const ratingSchema = z.object({
  of: z.enum(["answer", "conversation"]),
  value: z.enum(["up", "down"]),
  /** The answer's entry in the transcript. */
  message: z.optional(z.string()),
  /** Why, in the visitor's own words. */
  why: z.optional(z.string().check(z.maxLength(1_000))),
});
export type Rating = z.infer<typeof ratingSchema>;
