import * as z from "zod/mini";

/** Facts about the visitor or the page from the owner's page. The transcript does not show them. An extension of ours. */
export const variablesSchema = z.record(
  z.string().check(z.maxLength(64)),
  z.union([z.string().check(z.maxLength(2_000)), z.number(), z.boolean(), z.null()]),
);
export type Variables = z.infer<typeof variablesSchema>;
