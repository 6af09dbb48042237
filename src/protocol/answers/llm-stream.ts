import * as z from "zod/mini";
import { toolCallSchema } from "./llm-request.ts";

/** One event of the stream (wire conventions, Language model stream). */
export const llmStreamEventSchema = z.union([
  z.object({ status: z.literal("error"), reason: z.string() }),
  z.object({
    status: z.literal("success"),
    type: z.literal("message"),
    role: z.literal("assistant"),
    content: z.string(),
  }),
  z.object({
    status: z.literal("success"),
    type: z.literal("tool_call"),
    role: z.literal("assistant"),
    content: z.string(),
    tool_calls: z.array(toolCallSchema),
  }),
  z.object({
    status: z.literal("success"),
    type: z.literal("tool_call"),
    role: z.literal("tool"),
    content: z.string(),
    tool_call_id: z.string(),
    /** What the tool wants to show (`rich-content.ts`). An extension of ours. */
    visavis: z.optional(z.unknown()),
  }),
  // A person answers this conversation: their words come another way. An extension of ours, which other clients may ignore.
  z.object({
    status: z.literal("success"),
    type: z.literal("handover"),
    role: z.literal("person"),
    content: z.string(),
    name: z.string(),
  }),
  z.object({
    status: z.literal("success"),
    type: z.literal("finish"),
    role: z.literal("assistant"),
    content: z.string(),
    /** False: the answer says that nothing was found. An extension of ours. */
    found: z.optional(z.boolean()),
    /** What the answer was taken from (`answer-source.ts`). An extension of ours: an odd one does not cost the answer its end. */
    sources: z.optional(z.unknown()),
  }),
]);
export type LlmStreamEvent = z.infer<typeof llmStreamEventSchema>;
