import type { ChatMessage, ToolCall } from "../protocol/llm-stream.ts";
import { streamAnswer } from "./answer-stream.ts";
import type { ToolRegistry } from "./tool-registry.ts";
import { VisavisError } from "./visavis-error.ts";

/** How often the model may have tools run before it has to answer. */
const roundsLimit = 5;

/** What answering needs of the conversation. */
export interface AnswerTask {
  readonly signal: AbortSignal;
  readonly tools: ToolRegistry;
  /** Asks the model with the history as it stands. */
  ask(signal: AbortSignal): Promise<Response>;
  /** A piece of the answer. */
  handlePiece(text: string): void;
  /** The model has said all it says before the tools run, or at all. */
  handleRoundEnd(): void;
  handleToolCall(name: string, args: unknown): void;
  /** A call and its outcome, to be remembered together. */
  remember(messages: ChatMessage[]): void;
}

/** Has the model answer: streams its pieces, runs the page's tools and asks again with their results. Throws VisavisError. */
export async function answer(task: AnswerTask): Promise<void> {
  for (let round = 0; round <= roundsLimit; round++) {
    const calls = await streamRound(task);
    task.signal.throwIfAborted();
    task.handleRoundEnd();
    if (!calls.length) return;
    const results = await Promise.all(
      calls.map((call) => task.tools.run(call, (args) => task.handleToolCall(call.function.name, args))),
    );
    task.signal.throwIfAborted();
    task.remember([callMessage(calls), ...results]);
  }
  throw new VisavisError("engine_failed", "The answer needed too many steps. Ask in another way.");
}

/** Streams one answer; returns the calls that it leaves to the page. Calls that the server ran itself are remembered. */
async function streamRound(task: AnswerTask): Promise<ToolCall[]> {
  const open = new Map<string, ToolCall>();
  for await (const event of streamAnswer((signal) => task.ask(signal), task.signal)) {
    task.signal.throwIfAborted();
    if (event.type === "message") task.handlePiece(event.content);
    else if (event.role === "assistant") for (const call of event.tool_calls) open.set(call.id, call);
    else {
      const call = open.get(event.tool_call_id);
      if (call && open.delete(call.id))
        task.remember([
          callMessage([call]),
          { role: "tool", type: "tool_call", content: event.content, tool_call_id: call.id },
        ]);
    }
  }
  return [...open.values()];
}

const callMessage = (calls: ToolCall[]): ChatMessage => ({
  role: "assistant",
  type: "tool_call",
  content: "",
  tool_calls: calls,
});
