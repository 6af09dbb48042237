import * as z from "zod";
import { pageMaxLimit } from "../schema/paging.ts";

/** How it became known that a question had no answer: the avatar said so, its engine failed, or the visitor said so. */
export const unansweredCauses = ["no_answer", "failed", "did_not_help"] as const;
export type UnansweredCause = (typeof unansweredCauses)[number];

/** What became of a question: nothing yet, an answer was taught, or the owner does not want to see it. */
export const unansweredStates = ["open", "taught", "hidden"] as const;
export type UnansweredState = (typeof unansweredStates)[number];

/** Query of GET /api/console/unanswered/. `context`: the UUID of an avatar's context. */
export const unansweredQuerySchema = z.object({
  context: z.string().max(255).optional(),
  state: z.enum(unansweredStates).default("open"),
  order: z.enum(["most", "newest"]).default("most"),
  /** The most groups in the answer; the counts are always of all. Default: all. */
  limit: z.int().min(0).max(pageMaxLimit).optional(),
});

/** Questions that mean the same. */
export const unansweredGroupSchema = z.object({
  id: z.string(),
  /** UUID of the avatar's context. */
  context: z.string(),
  state: z.enum(unansweredStates),
  /** The wording that was used most. */
  question: z.string(),
  /** Every wording, the most frequent first. */
  wordings: z.array(z.object({ text: z.string(), asked: z.number().int() })),
  asked: z.number().int(),
  last_asked_at: z.string(),
  causes: z.array(z.enum(unansweredCauses)),
  /** What was taught; null while nothing was. */
  answer: z.string().nullable(),
  /** The id of the document that the answer is in. */
  document: z.string().nullable(),
});
export type UnansweredGroup = z.infer<typeof unansweredGroupSchema>;

/** Answer of GET /api/console/unanswered/. */
export const unansweredListSchema = z.object({
  /** Of the latest 3,000 questions. */
  groups: z.array(unansweredGroupSchema),
  /** How many groups there are in each state. */
  counts: z.object({ open: z.number().int(), taught: z.number().int(), hidden: z.number().int() }),
  /** Questions whose words were not kept, or are no longer: since the first one. */
  without_words: z.number().int(),
});
export type UnansweredList = z.infer<typeof unansweredListSchema>;

/** Body of POST …/unanswered/{id}/teach/. `wordings`: those that the answer is for; default: all of the group. */
export const teachSchema = z.object({
  answer: z.string().trim().min(1).max(5_000),
  wordings: z.array(z.string().min(1).max(2_000)).max(50).optional(),
});

/** Its answer. `found`: whether the question finds the answer now, in all that the avatar knows. */
export const taughtSchema = z.object({
  group: unansweredGroupSchema,
  document: z.object({ id: z.string(), title: z.string() }),
  found: z.boolean(),
});
export type Taught = z.infer<typeof taughtSchema>;
