import * as z from "zod";
import { contextSettingsSchema, embedContextPutSchema } from "../settings/embed-context.ts";

/** Body of PUT …/contexts/{id}/active/. */
export const activeSchema = z.object({ is_active: z.boolean() });

/** One of the last saved versions of a context. */
export const contextVersionSchema = z.object({
  revision: z.number().int(),
  saved_at: z.string(),
  /** The user name of the person who saved it; empty if it is unknown. */
  saved_by: z.string(),
  settings: contextSettingsSchema,
});
export type ContextVersion = z.infer<typeof contextVersionSchema>;

/** Answer of GET …/contexts/{id}/versions/. */
export const contextVersionListSchema = z.array(contextVersionSchema);

/** Settings as somebody typed them, which need not be valid yet. `revision`: the one that they began with. */
export const contextDraftPutSchema = z.object({
  revision: z.int().min(1),
  settings: z.record(z.string(), z.unknown()),
});

/** A stored draft. */
export const contextDraftSchema = contextDraftPutSchema.extend({ saved_at: z.string() });
export type ContextDraft = z.infer<typeof contextDraftSchema>;

/** A site whose pages loaded an avatar, or tried to. */
export const contextPageSchema = z.object({
  origin: z.string(),
  /** Whether it was allowed when it came last. */
  was_allowed: z.boolean(),
  first_seen_at: z.string(),
  last_seen_at: z.string(),
});
export type ContextPage = z.infer<typeof contextPageSchema>;

/** Answer of GET …/contexts/{id}/pages/. `arrived`: the first load from a page that may show the avatar; null: none yet. */
export const contextPagesSchema = z.object({
  arrived: z.object({ origin: z.string(), at: z.string() }).nullable(),
  /** Sites that may show it, the latest first. */
  allowed: z.array(contextPageSchema),
  /** Sites that tried to show it and may not, the latest first. */
  refused: z.array(contextPageSchema),
});
export type ContextPages = z.infer<typeof contextPagesSchema>;

/** Body of POST …/contexts/{id}/pages/, with which a relay reports that a page loaded the avatar. */
export const pageReportSchema = z.object({ origin: z.string().min(1).max(300), allowed: z.boolean() });

/** A ready-made beginning for a new avatar. */
export const contextTemplateSchema = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  settings: embedContextPutSchema,
});
export type ContextTemplate = z.infer<typeof contextTemplateSchema>;

/** Answer of GET /api/console/templates/. */
export const contextTemplateListSchema = z.array(contextTemplateSchema);
