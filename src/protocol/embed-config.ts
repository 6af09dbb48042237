import * as z from "zod/mini";
import { matteSchema, paddingsSchema } from "./stage-settings.ts";
import { variants, type Variant } from "./variant.ts";

const identifier = z.string().check(z.minLength(1), z.maxLength(255));
const shortText = z.string().check(z.maxLength(200));
const longText = z.string().check(z.maxLength(2_000));
const count = z.int().check(z.gte(0), z.lte(2_147_483_647));

const variantNames = Object.keys(variants) as Variant[];

/** A CSS colour as an owner may give it: `#rgb` or `#rrggbb`. Nothing else reaches a style sheet. */
export const cssColorSchema = z.string().check(z.regex(/^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/));

/** A web origin (`https://shop.example`), or a localhost pattern `http://localhost:*`. */
export const originSchema = z
  .string()
  .check(z.regex(/^https?:\/\/(?:[A-Za-z0-9.-]+|\[[0-9a-fA-F:]+\])(?::(?:\d{1,5}|\*))?$/), z.maxLength(300));

export const variantSchema = z.enum(variantNames);

export const placementSchema = z.enum([
  "bottom-right",
  "bottom-left",
  "top-right",
  "top-left",
  "bottom-center",
  "center-right",
]);
export type Placement = z.infer<typeof placementSchema>;

/** Link target of the visitor-facing texts: https only. */
const httpsUrl = z.string().check(z.regex(/^https:\/\/[^\s<>"']{1,2000}$/));

/** How the widget looks and what it offers. All optional; unknown keys are kept. */
export const uiConfigSchema = z.looseObject({
  /** The avatar's own name, shown with "AI assistant". Default: the model style's title. */
  avatar_name: z.optional(shortText.check(z.minLength(1))),
  /** Whose assistant it is. Default: the context's name. */
  owner_name: z.optional(shortText),
  variant: z.optional(variantSchema),
  placement: z.optional(placementSchema),
  theme: z.optional(z.enum(["auto", "light", "dark"])),
  brand_color: z.optional(cssColorSchema),
  radius: z.optional(z.number().check(z.gte(0), z.lte(48))),
  font: z.optional(z.string().check(z.regex(/^[\w\s,"'-]{1,200}$/))),
  languages: z.optional(z.array(z.string().check(z.maxLength(10))).check(z.maxLength(50))),
  /** Overrides of the widget's own texts, by text key. */
  texts: z.optional(z.record(z.string().check(z.maxLength(64)), longText)),
  suggestions: z.optional(z.array(shortText.check(z.minLength(1))).check(z.maxLength(6))),
  /** Shown before the start, where the visitor must choose to begin. */
  consent_text: z.optional(longText),
  privacy_url: z.optional(httpsUrl),
  /** "Contact us another way" on the error page. */
  contact_url: z.optional(httpsUrl),
  captions: z.optional(z.boolean()),
  text_input: z.optional(z.boolean()),
  voice_mode: z.optional(z.enum(["push-to-talk", "hands-free", "off"])),
  feedback: z.optional(z.boolean()),
  links_allowed: z.optional(z.array(z.string().check(z.maxLength(300))).check(z.maxLength(50))),
});
export type UiConfig = z.infer<typeof uiConfigSchema>;

/** Settings of the stage: paddings, transparency, and the matte of a service that does not say itself how it sends. */
export const stageConfigSchema = z.looseObject({
  ...z.partial(paddingsSchema).shape,
  transparent: z.optional(z.boolean()),
  matte: z.optional(matteSchema),
});
export type StageConfig = z.infer<typeof stageConfigSchema>;

/** `embed_config` of a context (product contract, What the owner sets). All optional; unknown keys are kept. */
export const embedConfigSchema = z.looseObject({
  /** Origins whose pages may use the context. Absent or empty: none but the relay's own. */
  allowed_origins: z.optional(z.array(originSchema).check(z.maxLength(200))),
  prompt: z.optional(identifier),
  llm_type: z.optional(identifier),
  stt_type: z.optional(identifier),
  document: z.optional(identifier),
  mcp_servers: z.optional(z.array(identifier).check(z.maxLength(20))),
  /** Tools of those servers that visitors' conversations may use though they change something: `server/tool`. */
  mcp_tools: z.optional(
    z.array(z.string().check(z.regex(/^[^/]+\/./), z.maxLength(400))).check(z.maxLength(200)),
  ),
  stage: z.optional(stageConfigSchema),
  ui: z.optional(uiConfigSchema),
  limits: z.optional(
    z.looseObject({
      idle_timeout_sec: z.optional(count),
      sessions_per_visitor: z.optional(count),
      minutes_per_day: z.optional(count),
      /** Of all sessions of the context together; 0: no limit. Default: the service's settings. */
      turns_per_day: z.optional(count),
      characters_per_day: z.optional(count),
    }),
  ),
  analytics: z.optional(z.looseObject({ data_layer: z.optional(z.boolean()) })),
});
export type EmbedConfig = z.infer<typeof embedConfigSchema>;
