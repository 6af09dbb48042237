import * as z from "zod";

/** The largest number of entries in a page of a list. */
export const pageMaxLimit = 1_000;

/** Query parameters of every paged list. Without `limit`, the answer is the whole list. */
export const pageQuerySchema = z.object({
  limit: z.int().min(1).max(pageMaxLimit).optional(),
  cursor: z.string().max(255).optional(),
});
export type PageQuery = z.infer<typeof pageQuerySchema>;
