import * as z from "zod";

/** What owners can be told of by webhooks. A further event is a line here, and its label in the console's texts. */
export const webhookEvents = [
  "person.asked",
  "message.left",
  "conversation.ended",
  "question.unanswered",
  "rating.down",
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/** What a delivery is of: an event, or the owner's test. */
export type WebhookMessage = WebhookEvent | "webhook.test";

/** Why an attempt failed: `refused`, its status was not 2xx; `gone`, it was 410. */
const webhookProblems = [
  "refused",
  "gone",
  "redirected",
  "timeout",
  "forbidden",
  "not_resolved",
  "certificate",
  "unreachable",
] as const;
export type WebhookProblem = (typeof webhookProblems)[number];

/** `waiting`: it is sent now, or again at `next_at`. */
export const webhookDeliverySchema = z.object({
  /** Also the `webhook-id` of its requests, whose receiver knows by it what it has already. */
  id: z.string(),
  type: z.string(),
  /** When it happened. */
  at: z.string(),
  state: z.enum(["waiting", "delivered", "failed"]),
  attempts: z.number().int(),
  /** Of the last attempt; null: none was finished. */
  attempted_at: z.string().nullable(),
  next_at: z.string().nullable(),
  /** The status of the last answer; null: there was none. */
  status: z.number().int().nullable(),
  problem: z.enum(webhookProblems).nullable(),
});
export type WebhookDelivery = z.infer<typeof webhookDeliverySchema>;

/** Where events are sent. `off`: it failed 100 times in a row. `gone`: it answered that it wants no more (410). */
export const webhookSchema = z.object({
  id: z.string(),
  address: z.string(),
  events: z.array(z.string()),
  with_words: z.boolean(),
  state: z.enum(["on", "off", "gone"]),
  created_at: z.string(),
  last_delivery: webhookDeliverySchema.nullable(),
});
export type Webhook = z.infer<typeof webhookSchema>;
export type WebhookState = Webhook["state"];

/** Answer of GET /api/console/webhooks/. */
export const webhookListSchema = z.array(webhookSchema);

/** Body of POST /api/console/webhooks/. `with_words`: whether what visitors said is sent, where it is kept. */
export const webhookCreateSchema = z.object({
  address: z.string().min(1).max(2_000),
  events: z.array(z.enum(webhookEvents)).min(1).max(webhookEvents.length),
  with_words: z.boolean().default(false),
});

/** Answer of POST /api/console/webhooks/. `secret` signs the requests (Standard Webhooks); no other answer has it. */
export const webhookCreatedSchema = webhookSchema.extend({ secret: z.string() });

/** Answer of GET /api/console/webhooks/{webhook}/deliveries/. */
export const webhookDeliveryListSchema = z.array(webhookDeliverySchema);
