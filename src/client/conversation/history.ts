import type { ChatMessage } from "../../protocol/answers/llm-request.ts";
import type { TranscriptEntry } from "./transcript-entry.ts";
import type { RichCard, RichContent } from "../../protocol/answers/rich-content.ts";

/** The largest number of messages that are sent. The oldest are dropped first. */
const messagesLimit = 200;
const contentLimit = 32_768;
/** How much of what was not said is told, in characters. */
const restLimit = 1_000;

/** An item of the history: an entry of the transcript, or a tool call with its result. */
export type Remembered = { readonly entryId: string } | { readonly messages: readonly ChatMessage[] };

/**
 * The history with a question at its end. If the question is there already and only calls of tools follow it, it stays where
 * it is, so that the model goes on from their results.
 */
export function remembered(memory: readonly Remembered[], questionId: string): Remembered[] {
  const at = memory.findIndex((item) => "entryId" in item && item.entryId === questionId);
  if (at >= 0 && memory.slice(at + 1).every((item) => "messages" in item)) return [...memory];
  return [...memory.filter((_item, index) => index !== at), { entryId: questionId }];
}

/**
 * The history as it is sent to the language model. Entries are read from the present transcript, so that an interrupted
 * answer contributes what was spoken, with a note of what was not, and an answer that was not spoken at all is left out. `sessionId`: the session that
 * is asked, which knows only its own files.
 */
export function chatHistory(
  memory: readonly Remembered[],
  entryOf: (id: string) => TranscriptEntry | undefined,
  sessionId = "",
): ChatMessage[] {
  const messages = memory.flatMap((item): readonly ChatMessage[] => {
    if ("messages" in item) return item.messages;
    const entry = entryOf(item.entryId);
    const content = entry?.text.trim().slice(0, contentLimit);
    if (!entry || !content) return [];
    return entry.role === "visitor"
      ? [{ role: "user", ...withFiles(content, entry, sessionId) }]
      : [{ role: "assistant", content: `${content}${unsaidNote(entry)}`.slice(0, contentLimit) }];
  });
  if (messages.length <= messagesLimit) return messages;
  const latest = messages.slice(-messagesLimit);
  // Cut before a visitor's message: language models refuse a tool result without its call.
  return latest.slice(latest.findIndex((message) => message.role === "user"));
}

/** What the visitor has not heard of an answer, because they spoke or wrote meanwhile. */
function unsaidNote({ status, rest = "" }: TranscriptEntry): string {
  const unsaid = rest.trim();
  if (status !== "interrupted" || !unsaid) return "";
  const told = unsaid.length > restLimit ? `${unsaid.slice(0, restLimit)} …` : unsaid;
  return `\n\n[The visitor interrupted here and has not heard the rest: ${told}]`;
}

/** A question with its files. Those of an earlier session are only named: they were removed with it. */
function withFiles(
  content: string,
  { attachments = [] }: TranscriptEntry,
  sessionId: string,
): Pick<ChatMessage, "content" | "attachments"> {
  const ids = attachments.flatMap(({ at }) => (at?.session === sessionId ? at.id : []));
  const gone = attachments.filter(({ at }) => at?.session !== sessionId).map(({ name }) => name);
  const note = gone.length ? `\n\n[Attached earlier and no longer available: ${gone.join(", ")}]` : "";
  return { content: `${content}${note}`.slice(0, contentLimit), ...(ids.length && { attachments: ids }) };
}

const cardLine = ({ title, price, text }: RichCard): string =>
  [price ? `${title}, ${price}` : title, text].filter(Boolean).join(": ");

/**
 * Shown content in words: for screen readers, the copied transcript and the language model. Suggestions are left out; they are
 * questions, and nothing that was said.
 */
export function contentText({ cards = [], buttons = [], form }: RichContent): string {
  return [
    ...cards.map(cardLine),
    ...(form ? [form.title ?? form.fields.map(({ label }) => label).join(", ")] : []),
    ...(buttons.length > 0 ? [buttons.map(({ label }) => label).join(", ")] : []),
  ].join("\n");
}
