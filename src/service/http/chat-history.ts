function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function withContent(message: unknown): unknown {
  if (!isRecord(message) || message["role"] !== "assistant") return message;
  const calls = message["tool_calls"];
  if (!Array.isArray(calls) || calls.length === 0) return message;
  return { ...message, content: message["content"] ?? "" };
}

/**
 * The fields of a language model request with the history in the form that the schema has. In the chat-completion style an
 * assistant's message that only calls tools has the content null, or none; here the content is empty then.
 */
export function withChatContents(fields: Record<string, unknown>): Record<string, unknown> {
  const { messages } = fields;
  return Array.isArray(messages) ? { ...fields, messages: messages.map(withContent) } : fields;
}
