import * as z from "zod/mini";

/**
 * What `template` says, for clients that draw the avatar themselves: the look that it has since a client sent `set-template`. An
 * extension of ours.
 */
export const drawnTemplateSchema = z.object({
  /** Name of the model style. */
  model_style: z.string(),
  /** The style's files, with their names and addresses. `character` is what is drawn. */
  files: z.array(z.object({ name: z.string(), file: z.string() })),
});
export type DrawnTemplate = z.infer<typeof drawnTemplateSchema>;
