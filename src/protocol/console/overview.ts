import * as z from "zod";

/** Query of GET /api/console/overview/. `context`: the UUID of one avatar's context; default: all of them together. */
export const overviewQuerySchema = z.object({ context: z.string().max(255).optional() });

const count = z.number().int();

/** The figures of a day in the server's time zone. */
const dayFiguresSchema = z.object({
  /** `2026-11-17`. */
  date: z.string(),
  conversations: count,
  /** Conversations with a question that had no answer. */
  with_unanswered: count,
  questions: count,
  unanswered: count,
  talking_sec: count,
});
export type DayFigures = z.infer<typeof dayFiguresSchema>;

/** Something that does not work, the worst first. */
const problemCodes = [
  "engine_unavailable",
  "engine_failing",
  "media_down",
  "recognizer_missing",
  "disk_nearly_full",
  "month_nearly_used",
  "limit_reached",
  "webhook_off",
] as const;
const problemSchema = z.object({
  code: z.enum(problemCodes),
  severity: z.enum(["error", "warning"]),
  /** What is wrong, and what visitors notice of it. */
  detail: z.string(),
  /** Why, in the words of the engine's server, for the owner. */
  reason: z.string().optional(),
  /** What to do. */
  remedy: z.string(),
  /** Since when; null where that is not known. */
  since: z.string().nullable(),
  /** The page of the console where it is solved. */
  page: z.enum(["engines", "avatars", "knowledge", "settings"]),
  /** What it is about: the id of a context, an engine or a document; null: nothing in particular. */
  target: z.string().nullable(),
});
export type Problem = z.infer<typeof problemSchema>;

/** What is limited. */
const limitKinds = ["talking_day", "lines", "model_day", "talking_month"] as const;
const limitUseSchema = z.object({
  kind: z.enum(limitKinds),
  used: z.number(),
  /** Null: no limit is set. */
  limit: z.number().nullable(),
  /** `money`: in the currency. `tokens`: the language model has no price. */
  unit: z.enum(["minutes", "lines", "money", "tokens"]),
  /** ISO 4217, where the unit is `money`; null otherwise. */
  currency: z.string().nullable(),
  /** When the count begins again; null for lines. */
  resets_at: z.string().nullable(),
});
export type LimitUse = z.infer<typeof limitUseSchema>;

/** The steps from an installation to the first conversation. */
const firstRunSchema = z.object({
  avatar: z.object({ done: z.boolean(), context: z.string().nullable(), name: z.string().nullable() }),
  knowledge: z.object({
    done: z.boolean(),
    documents: count,
  }),
  page: z.object({
    done: z.boolean(),
    /** Whether the avatar lists a site that may show it. */
    has_origin: z.boolean(),
    /** The page that came first; null: none yet. */
    arrived: z.object({ origin: z.string(), at: z.string() }).nullable(),
  }),
  /** Whether some avatar answers with a language model and not only by quoting. */
  has_model: z.boolean(),
});
export type FirstRun = z.infer<typeof firstRunSchema>;

/** Answer of GET /api/console/overview/. */
export const overviewSchema = z.object({
  at: z.string(),
  /** The server's time zone, in which days begin: an IANA name. */
  time_zone: z.string(),
  /** Null after the first conversation of a visitor. */
  first_run: firstRunSchema.nullable(),
  today: dayFiguresSchema,
  /** Conversations at the same weekday a week ago, until the same time. */
  week_ago: count,
  /** The median time from the visitor's click to the avatar's picture today; null without a conversation. */
  first_picture_ms: z.number().nullable(),
  /** The last 30 days, the earliest first; the last is today. */
  days: z.array(dayFiguresSchema),
  limits: z.array(limitUseSchema),
  problems: z.array(problemSchema),
});
export type Overview = z.infer<typeof overviewSchema>;
