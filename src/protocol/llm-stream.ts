import * as z from "zod/mini";

const toolCallSchema = z.object({
  id: z.string(),
  type: z.literal("function"),
  function: z.object({ name: z.string(), arguments: z.string() }),
});
/** A call of a tool; `function.arguments` is JSON text. */
export type ToolCall = z.infer<typeof toolCallSchema>;

/** One entry of the history that is sent to the language model. */
export const chatMessageSchema = z.object({
  role: z.enum(["user", "assistant", "tool"]),
  content: z.string().check(z.maxLength(32_768)),
  type: z.optional(z.string()),
  tool_calls: z.optional(z.array(toolCallSchema)),
  tool_call_id: z.optional(z.string()),
});
export type ChatMessage = z.infer<typeof chatMessageSchema>;

/** A tool of the client's own; `parameters` is a JSON schema. */
export const toolDefinitionSchema = z.object({
  type: z.literal("function"),
  function: z.object({
    name: z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}$/)),
    description: z._default(z.string(), ""),
    parameters: z._default(z.record(z.string(), z.unknown()), {}),
  }),
});
export type ToolDefinition = z.infer<typeof toolDefinitionSchema>;

/** Facts about the visitor or the page that the owner's page passes on, hidden from the transcript. Ours. */
export const variablesSchema = z.record(
  z.string().check(z.maxLength(64)),
  z.union([z.string().check(z.maxLength(2_000)), z.number(), z.boolean(), z.null()]),
);
export type Variables = z.infer<typeof variablesSchema>;

/** Body of POST …/llm/v2/ (wire conventions, Language model stream); `variables` is ours. */
export const llmRequestSchema = z.object({
  messages: z.array(chatMessageSchema).check(z.minLength(1), z.maxLength(500)),
  tools: z._default(z.array(toolDefinitionSchema).check(z.maxLength(64)), []),
  variables: z.optional(variablesSchema),
});
export type LlmRequest = z.infer<typeof llmRequestSchema>;

/** One event of the stream. */
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
  }),
  z.object({
    status: z.literal("success"),
    type: z.literal("finish"),
    role: z.literal("assistant"),
    content: z.string(),
  }),
]);
export type LlmStreamEvent = z.infer<typeof llmStreamEventSchema>;
