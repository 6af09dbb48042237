import * as z from "zod/mini";
import { attachmentKinds } from "../answers/attachment.ts";
import { drawers } from "./drawing-settings.ts";
import { analyticsSchema, lateUiSchema } from "./late-settings.ts";
import { voiceFactorSchema } from "../speech/speech-limits.ts";
import { matteSchema, paddingsSchema } from "./stage-settings.ts";
import { turnSettingsSchema } from "./turn-settings.ts";
import { earlyUiSchema } from "./ui-config.ts";

export * from "./ui-config.ts";

const identifier = z.string().check(z.minLength(1), z.maxLength(255));
const count = z.int().check(z.gte(0), z.lte(2_147_483_647));

// The words for these patterns in error messages are in `service/http/operations/validation.ts`.
export const originPattern = /^https?:\/\/(?:[A-Za-z0-9.-]+|\[[0-9a-fA-F:]+\])(?::(?:\d{1,5}|\*))?$/;
export const serverToolPattern = /^[^/]+\/./;
export const timeZonePattern = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/;

/** A web origin (`https://shop.example`), or a localhost pattern `http://localhost:*`. */
export const originSchema = z.string().check(z.regex(originPattern), z.maxLength(300));

/** How the widget looks and what it offers. All optional; unknown keys are ignored. */
export const uiConfigSchema = z.looseObject({ ...earlyUiSchema.shape, ...lateUiSchema.shape });

/** How the voice speaks (1 is its own rate and pitch), and how the visitor's turns are heard. */
const voiceConfigSchema = z.looseObject({
  rate: z.optional(voiceFactorSchema),
  pitch: z.optional(voiceFactorSchema),
  ...turnSettingsSchema.shape,
});

/** Settings of the stage: paddings, transparency, and the matte for a service that does not report its own. */
export const stageConfigSchema = z.looseObject({
  ...z.partial(paddingsSchema).shape,
  transparent: z.optional(z.boolean()),
  matte: z.optional(matteSchema),
});
export type StageConfig = z.infer<typeof stageConfigSchema>;

/**
 * `embed_config` of a context (product contract, What the owner sets). All optional. Unknown keys are kept and have no effect; the owner
 * is told of them (`service/contexts/unknown-settings.ts`).
 */
export const embedConfigSchema = z.looseObject({
  /** Origins whose pages may use the context. Absent or empty: only the relay's own origin. */
  allowed_origins: z.optional(z.array(originSchema).check(z.maxLength(200))),
  prompt: z.optional(identifier),
  llm_type: z.optional(identifier),
  stt_type: z.optional(identifier),
  document: z.optional(identifier),
  /** More documents that answers are taken from. */
  documents: z.optional(z.array(identifier).check(z.maxLength(50))),
  /** Whether answers that are quoted say where they are from. Default: yes. */
  sources: z.optional(z.boolean()),
  /** Where "today" and "tomorrow" are said. Default: the server's time zone. */
  time_zone: z.optional(z.string().check(z.regex(timeZonePattern), z.maxLength(100))),
  mcp_servers: z.optional(z.array(identifier).check(z.maxLength(20))),
  /** Tools of those servers that change something and that conversations may use nevertheless: `server/tool`. */
  mcp_tools: z.optional(
    z.array(z.string().check(z.regex(serverToolPattern), z.maxLength(400))).check(z.maxLength(200)),
  ),
  /** Whether the language model may set the avatar's mood and expression. Default: yes. */
  expressions: z.optional(z.boolean()),
  /** What people of the owner's answer often, with `{name}` and `{page}` of the visitor. Only they see it. */
  quick_answers: z.optional(
    z.array(z.string().check(z.minLength(1), z.maxLength(1_000))).check(z.maxLength(20)),
  ),
  voice: z.optional(voiceConfigSchema),
  stage: z.optional(stageConfigSchema),
  ui: z.optional(uiConfigSchema),
  limits: z.optional(
    z.looseObject({
      idle_timeout_sec: z.optional(count),
      sessions_per_visitor: z.optional(count),
      minutes_per_day: z.optional(count),
      /** Limit for all sessions of the context together; 0: no limit. Default: the service's settings. */
      turns_per_day: z.optional(count),
      characters_per_day: z.optional(count),
      /** What the language model may cost a day, in the currency of its price; 0, the default: no limit. */
      model_cost_per_day: z.optional(z.number().check(z.gte(0))),
      /** How questions are answered beyond it: by quoting the documents (default), or not at all. */
      at_model_limit: z.optional(z.enum(["quote", "stop"])),
    }),
  ),
  /** Who draws the avatar. Default: `auto`, the visitor's browser where it is fast enough. */
  render: z.optional(z.enum(drawers)),
  /** When the launcher loads the widget: when the visitor reaches for it (`intent`, default), or when the page is idle. */
  prefetch: z.optional(z.enum(["intent", "idle"])),
  /** Whether a conversation goes on after a page load in the same tab (`tab`, default). */
  persist: z.optional(z.enum(["off", "tab"])),
  /** How many days the words of conversations are kept. 0, the default: not at all. */
  retention_days: z.optional(z.int().check(z.gte(0), z.lte(3_650))),
  analytics: z.optional(analyticsSchema),
  /** What visitors may attach to a question, if the model takes it. Default: nothing. */
  attachments: z.optional(z.array(z.enum(attachmentKinds)).check(z.maxLength(attachmentKinds.length))),
});
export type EmbedConfig = z.infer<typeof embedConfigSchema>;
