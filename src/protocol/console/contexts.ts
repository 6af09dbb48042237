import * as z from "zod";
import { contextSettingsSchema, embedContextSchema } from "../settings/embed-context.ts";
import { pageQuerySchema } from "../schema/paging.ts";

/** Query of GET …/contexts/. */
export const contextsQuerySchema = pageQuerySchema.extend({ context_id: z.string().max(255).optional() });

/**
 * Body of POST and PUT …/contexts/. `revision` (ours): the one that was edited; another one in the store is a conflict. Without it the
 * settings are replaced whatever they are.
 */
export const contextBodySchema = z.object({
  ...contextSettingsSchema.shape,
  revision: z.int().min(1).optional(),
});

/** Answer 409 of PUT …/contexts/{id}/: somebody else saved meanwhile. `current` is what the store has. */
export const contextConflictSchema = z.object({
  type: z.literal("client_error"),
  errors: z.array(z.object({ code: z.literal("conflict"), detail: z.string(), attr: z.null() })),
  current: embedContextSchema,
});
export type ContextConflict = z.infer<typeof contextConflictSchema>;

/** Answer of GET …/contexts/. */
export const embedContextListSchema = z.array(embedContextSchema);
