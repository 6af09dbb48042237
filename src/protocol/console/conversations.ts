import * as z from "zod";
import { pageQuerySchema } from "../schema/paging.ts";
import { sessionEventKinds } from "../session/session-event.ts";
import { terminationReasons } from "../session/session.ts";

/** How conversations end, as the console groups the termination reasons. */
export const conversationEndings = ["visitor", "connection_lost", "error", "limit"] as const;
export type ConversationEnding = (typeof conversationEndings)[number];

const time = z.iso.datetime({ offset: true });

/** Filters of a list of conversations. `from` is included, `to` is not. */
export const conversationFilterSchema = z.object({
  /** UUID of the avatar's context. */
  context: z.string().max(255).optional(),
  from: time.optional(),
  to: time.optional(),
  ended: z.enum(conversationEndings).optional(),
  /** Only those whose visitor said that it did not help. */
  did_not_help: z.boolean().optional(),
  /** Only those with a question that had no answer. */
  unanswered: z.boolean().optional(),
  /** Only those in which all of these words were said. A long list is searched in parts: a page may hold fewer than there are. */
  search: z.string().max(200).optional(),
});

/** Query of GET /api/console/conversations/. */
export const conversationQuerySchema = conversationFilterSchema.extend(pageQuerySchema.shape);

/** A conversation. The figures are always kept, words only while its avatar's `retention_days` last. */
export const conversationSchema = z.object({
  session_id: z.string(),
  /** UUID of the avatar's context. */
  context: z.string(),
  started_at: z.string(),
  /** Null while it goes on. */
  ended_at: z.string().nullable(),
  duration_sec: z.number().int(),
  termination_reason: z.enum(terminationReasons).nullable(),
  questions: z.number().int(),
  unanswered: z.number().int(),
  /** What the visitor said at the end; null: nothing. */
  helped: z.boolean().nullable(),
  /** What the visitor said first; null where words are not kept. */
  first_question: z.string().nullable(),
  /** When its words are deleted; null where none are kept. */
  words_until: z.string().nullable(),
});
export type Conversation = z.infer<typeof conversationSchema>;

/** Answer of GET /api/console/conversations/. */
export const conversationListSchema = z.array(conversationSchema);

/** One moment of a conversation. `at_sec`: since its start. */
export const conversationMomentSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("visitor"), at_sec: z.number(), text: z.string() }),
  z.object({ type: z.literal("avatar"), at_sec: z.number(), text: z.string(), answered: z.boolean() }),
  // What a person has said to the visitor or to the avatar alone, summed up at the end, or done (`talkNotes`).
  z.object({
    type: z.enum(["person", "whisper", "summary", "note"]),
    at_sec: z.number(),
    text: z.string(),
    name: z.string(),
  }),
  // What the visitor has left for a person (`inbox.ts`).
  z.object({ type: z.literal("message"), at_sec: z.number(), text: z.string(), message: z.string() }),
  z.object({
    type: z.literal("event"),
    at_sec: z.number(),
    event: z.enum(sessionEventKinds),
    detail: z.string().nullable(),
  }),
]);
export type ConversationMoment = z.infer<typeof conversationMomentSchema>;

/** A conversation with what was said and what happened, in the order of time. */
export const conversationDetailSchema = conversationSchema.extend({
  moments: z.array(conversationMomentSchema),
});
export type ConversationDetail = z.infer<typeof conversationDetailSchema>;

/** Answer of GET /api/console/conversation-export/json/. */
export const conversationExportSchema = z.array(conversationDetailSchema);

/** Answer of operations on many conversations: how many they were. */
export const conversationCountSchema = z.object({ conversations: z.number().int() });
