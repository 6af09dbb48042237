import * as z from "zod/mini";
import { voiceFactorSchema } from "../speech/speech-limits.ts";
import { variablesSchema } from "../session/variables.ts";

export const toolCallSchema = z.object({
  id: z.string(),
  type: z.literal("function"),
  function: z.object({ name: z.string(), arguments: z.string() }),
});
/** A tool call; `function.arguments` is JSON text. */
export type ToolCall = z.infer<typeof toolCallSchema>;

/** One entry of the history that is sent to the language model. */
export const chatMessageSchema = z.object({
  role: z.enum(["user", "assistant", "tool"]),
  content: z.string().check(z.maxLength(32_768)),
  type: z.optional(z.string()),
  tool_calls: z.optional(z.array(toolCallSchema)),
  tool_call_id: z.optional(z.string()),
});

/** The most files that a visitor may attach to one message. */
export const attachmentsPerQuestion = 3;

/** The same in a request. Browsers do not parse it, so it costs them no bytes. */
const sentMessageSchema = z.extend(chatMessageSchema, {
  /** Ids of files that the visitor has attached to this message. An extension of ours. */
  attachments: z.optional(
    z.array(z.string().check(z.maxLength(64))).check(z.maxLength(attachmentsPerQuestion)),
  ),
});
export type ChatMessage = z.infer<typeof sentMessageSchema>;

export const toolNamePattern = /^[A-Za-z0-9_-]{1,64}$/;

/** A tool that the client provides; `parameters` is a JSON schema. */
export const toolDefinitionSchema = z.object({
  type: z.literal("function"),
  function: z.object({
    name: z.string().check(z.regex(toolNamePattern)),
    description: z._default(z.string(), ""),
    parameters: z._default(z.record(z.string(), z.unknown()), {}),
  }),
});
export type ToolDefinition = z.infer<typeof toolDefinitionSchema>;

/** Body of POST …/llm/v2/ (wire conventions, Language model stream); `variables` and `speech_rate` are our extensions. */
export const llmRequestSchema = z.object({
  messages: z.array(sentMessageSchema).check(z.minLength(1), z.maxLength(500)),
  tools: z._default(z.array(toolDefinitionSchema).check(z.maxLength(64)), []),
  variables: z.optional(variablesSchema),
  /** The rate that the client has set by `voice`: the answer's beginning is synthesized ahead. */
  speech_rate: z.optional(voiceFactorSchema),
});
export type LlmRequest = z.infer<typeof llmRequestSchema>;
