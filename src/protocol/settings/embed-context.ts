import * as z from "zod/mini";
import { embedConfigSchema, type EmbedConfig } from "./embed-config.ts";

const nonEmpty = z.string().check(z.minLength(1));

/**
 * Body of PUT …/contexts/{id}/: every missing field is reset (wire conventions, Embed contexts). `embed_config` is any JSON, of which
 * settings that are not valid have no effect (`read-config.ts`).
 */
export const contextSettingsSchema = z.object({
  name: nonEmpty.check(z.maxLength(200)),
  tts_type: nonEmpty,
  model_style: nonEmpty,
  greeting: z._default(z.string().check(z.maxLength(5_000)), ""),
  instructions: z._default(z.string().check(z.maxLength(200_000)), ""),
  background_image: z._default(z.nullable(z.string()), null),
  max_session_sec: z._default(z.int().check(z.gte(0), z.lte(2_147_483_647)), 0),
  is_active: z._default(z.boolean(), true),
  embed_config: z._default(z.unknown(), {}),
});
export type ContextSettings = z.infer<typeof contextSettingsSchema>;

/** The same for forms and commands, which refuse what would have no effect. */
export const embedContextPutSchema = z.object({
  ...contextSettingsSchema.shape,
  embed_config: z._default(embedConfigSchema, {}),
});
export type EmbedContextPut = z.infer<typeof embedContextPutSchema>;

/** Something in `embed_config` that has no effect. `attr`: its dotted path. */
const contextWarningSchema = z.object({ code: z.string(), detail: z.string(), attr: z.nullable(z.string()) });

/** A context in the answers of the console operations (interface specification, Embed context). */
export const embedContextSchema = z.object({
  id: z.string(),
  context_id: z.string(),
  name: z.string(),
  tts_type: z.string(),
  model_style: z.string(),
  greeting: z.string(),
  instructions: z.string(),
  background_image: z.nullable(z.string()),
  max_session_sec: z.number(),
  is_active: z.boolean(),
  embed_config: z.unknown(),
  /** An extension of ours: what of `embed_config` has no effect, if anything. Only in answers that show or save one context. */
  warnings: z.optional(z.array(contextWarningSchema)),
  /** An extension of ours: how often the settings were saved, which tells whether somebody else changed them. */
  revision: z.optional(z.number()),
  created_at: z.string(),
  updated_at: z.string(),
});
export type EmbedContextAnswer = z.infer<typeof embedContextSchema>;

/** A context for who reads its settings. */
export type EmbedContext = Omit<EmbedContextAnswer, "embed_config" | "warnings"> & {
  embed_config: EmbedConfig;
};

/** Answer of GET …/contexts/{id}/embed/: markup ready to paste; sizes in pixels. */
export const embedSnippetSchema = z.object({
  iframe: z.string(),
  script: z.string(),
  /**
   * An extension of ours: the same with the loader's integrity (`integrity`, `crossorigin`), at a URL whose content never
   * changes. Null when the service has no built loader.
   */
  script_pinned: z.nullable(z.string()),
  viewer_url: z.string(),
  width: z.number(),
  height: z.number(),
});
export type EmbedSnippet = z.infer<typeof embedSnippetSchema>;
