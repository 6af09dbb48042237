import { isPlainObject } from "../../plain-object.ts";

/** The texts of a content in parts; the content itself where it has other parts, for validation to judge. */
function contentText(content: unknown): unknown {
  if (!Array.isArray(content) || content.length === 0) return content;
  const texts = content.map((part: unknown) =>
    isPlainObject(part) && part["type"] === "text" ? part["text"] : undefined,
  );
  return texts.every((text) => typeof text === "string") ? texts.join("\n") : content;
}

function withContent(message: unknown): unknown {
  if (!isPlainObject(message) || !("content" in message || "tool_calls" in message)) return message;
  const calls = message["tool_calls"];
  const onlyCalls = message["role"] === "assistant" && Array.isArray(calls) && calls.length > 0;
  return { ...message, content: contentText(message["content"]) ?? (onlyCalls ? "" : message["content"]) };
}

/**
 * Adapts the history of a language model request to the schema, which expects a text. In the chat-completion style, a content may be a
 * list of text parts, and an assistant's message that only calls tools has the content null or none at all.
 */
export function withChatContents(fields: Record<string, unknown>): Record<string, unknown> {
  const { messages } = fields;
  return Array.isArray(messages) ? { ...fields, messages: messages.map(withContent) } : fields;
}
