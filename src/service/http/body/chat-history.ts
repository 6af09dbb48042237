import { isPlainObject } from "../../plain-object.ts";

function withContent(message: unknown): unknown {
  if (!isPlainObject(message) || message["role"] !== "assistant") return message;
  const calls = message["tool_calls"];
  if (!Array.isArray(calls) || calls.length === 0) return message;
  return { ...message, content: message["content"] ?? "" };
}

/**
 * Adapts the history of a language model request to the schema. In the chat-completion style, an assistant's message that
 * only calls tools has the content null or none at all; the schema expects an empty text.
 */
export function withChatContents(fields: Record<string, unknown>): Record<string, unknown> {
  const { messages } = fields;
  return Array.isArray(messages) ? { ...fields, messages: messages.map(withContent) } : fields;
}
