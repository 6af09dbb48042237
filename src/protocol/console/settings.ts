import * as z from "zod";

const count = z.number().int();
const limit = z.int().min(0).max(2_147_483_647).nullable();

/** The quotas of the organization; null: no limit. */
const quotasSchema = z.object({
  max_active_sessions: limit,
  max_session_min: limit,
  max_month_min: limit,
  credits: limit,
});

/** Answer of GET /api/console/quotas/. */
export const quotaUseSchema = quotasSchema.extend({
  active_sessions: count,
  month_min: count,
  /** The month, in UTC: `2026-11`. */
  month: z.string(),
});
export type QuotaUse = z.infer<typeof quotaUseSchema>;

/** Body of PUT /api/console/quotas/. Credits are bought, so they cannot be set here. */
export const quotasPutSchema = quotasSchema.omit({ credits: true });

/** Answer of GET /api/console/retention/: how long the words of conversations are kept. */
export const retentionSchema = z.object({
  contexts: z.array(z.object({ id: z.string(), name: z.string(), retention_days: count })),
  /** Conversations whose words are kept now. */
  conversations_with_words: count,
  conversations: count,
});
export type Retention = z.infer<typeof retentionSchema>;

/** Body of PUT /api/console/retention/. Fewer days also delete the words of earlier conversations. */
export const retentionPutSchema = z.object({
  retention_days: z.int().min(0).max(3_650),
  /** UUIDs of the contexts; default: all of the organization. */
  contexts: z.array(z.string().max(255)).max(1_000).optional(),
});

/** Answer of GET /api/console/health/. */
export const healthSchema = z.object({
  at: z.string(),
  server: z.object({
    version: z.string(),
    node: z.string(),
    started_at: z.string(),
    memory_bytes: count,
  }),
  database: z.object({
    is_working: z.boolean(),
    kind: z.enum(["embedded", "PostgreSQL"]),
    answer_ms: z.number().nullable(),
  }),
  media: z.object({ running: count, wanted: count, sessions: count }),
  /** The disk of the data folder; null where nothing is known of it. */
  disk: z.object({ free_bytes: count, total_bytes: count }).nullable(),
  /** Where programs read the metrics. */
  metrics_url: z.string(),
});
export type Health = z.infer<typeof healthSchema>;
