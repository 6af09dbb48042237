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
  z.object({
    status: z.literal("success"),
    type: z.literal("finish"),
    role: z.literal("assistant"),
    content: z.string(),
    /** False: the answer says that nothing was found. An extension of ours. */
    found: z.optional(z.boolean()),
  }),
]);
export type LlmStreamEvent = z.infer<typeof llmStreamEventSchema>;
