import type { ChatMessage } from "../protocol/llm-stream.ts";
import type { TranscriptEntry } from "./avatar-session.ts";

/** Most messages that are sent along; the oldest go first. */
const messagesLimit = 200;
const contentLimit = 32_768;

/** Something the language model is to remember: a line of the transcript, or a call of a tool with its outcome. */
export type Remembered = { readonly entryId: string } | { readonly messages: readonly ChatMessage[] };

/**
 * The history as it is sent to the language model. Lines are read from the transcript as it stands, so that of an
 * interrupted answer only what was spoken is remembered, and what was not said at all is left out.
 */
export function chatHistory(
  memory: readonly Remembered[],
  entryOf: (id: string) => TranscriptEntry | undefined,
): ChatMessage[] {
  const messages = memory.flatMap((item): readonly ChatMessage[] => {
    if ("messages" in item) return item.messages;
    const entry = entryOf(item.entryId);
    const content = entry?.text.trim().slice(0, contentLimit);
    return entry && content ? [{ role: entry.role === "visitor" ? "user" : "assistant", content }] : [];
  });
  if (messages.length <= messagesLimit) return messages;
  const latest = messages.slice(-messagesLimit);
  // Cut before a visitor's line: an outcome without its call is refused by language models.
  return latest.slice(latest.findIndex((message) => message.role === "user"));
}
