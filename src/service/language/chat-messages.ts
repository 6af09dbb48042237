import type { ChatMessage, ToolCall } from "../../protocol/llm-stream.ts";
import type { Turn } from "./language-model.ts";

/** A message as the chat completions protocol has it. */
export type ChatCompletionMessage =
  | { role: "system" | "user"; content: string }
  | { role: "assistant"; content: string | null; tool_calls?: ToolCall[] }
  | { role: "tool"; content: string; tool_call_id: string };

/**
 * Calls that have a result right after them, and their results. A turn that was interrupted leaves calls without results,
 * or results without calls, and servers of the protocol refuse the whole conversation over either.
 */
function answeredCalls({ tool_calls: calls = [] }: ChatMessage, following: readonly ChatMessage[]) {
  const end = following.findIndex(({ role }) => role !== "tool");
  const results = end === -1 ? following : following.slice(0, end);
  return calls.flatMap((call) => {
    const result = results.find(({ tool_call_id: id }) => id === call.id);
    return result ? [{ call, result: result.content }] : [];
  });
}

function assistantMessages(message: ChatMessage, following: readonly ChatMessage[]): ChatCompletionMessage[] {
  const answered = answeredCalls(message, following);
  const { content } = message;
  if (answered.length === 0) return content === "" ? [] : [{ role: "assistant", content }];
  return [
    { role: "assistant", content: content || null, tool_calls: answered.map(({ call }) => call) },
    ...answered.map(({ call, result }) => ({
      role: "tool" as const,
      content: result,
      tool_call_id: call.id,
    })),
  ];
}

function variablesText({ variables }: Turn): string {
  const facts = Object.entries(variables ?? {});
  if (facts.length === 0) return "";
  const lines = facts.map(([name, value]) => `- ${name}: ${String(value)}`);
  return ["What is known about the visitor and the page:", ...lines].join("\n");
}

/** The conversation of a turn: the session's own system prompt first, then the history as it was sent. */
export function chatMessages(turn: Turn): ChatCompletionMessage[] {
  const system = [turn.systemPrompt, variablesText(turn)].filter((text) => text !== "").join("\n\n");
  const history = turn.messages.flatMap((message, index): ChatCompletionMessage[] => {
    if (message.role === "user") return [{ role: "user", content: message.content }];
    return message.role === "assistant" ? assistantMessages(message, turn.messages.slice(index + 1)) : [];
  });
  return system === "" ? history : [{ role: "system", content: system }, ...history];
}
