import { expressionToolName } from "../protocol/data-channel.ts";
import type { ChatMessage, ToolCall } from "../protocol/llm-request.ts";
import { streamAnswer, type LineState } from "./answer-stream.ts";
import type { ToolRegistry } from "./tool-registry.ts";
import { VisavisError } from "./visavis-error.ts";

/** How many rounds of tool calls the model may make before it must answer. */
const roundsLimit = 5;

/** What answering needs from the conversation. */
export interface AnswerTask {
  readonly signal: AbortSignal;
  /** Whether messages arrive from the service. Decides how long to wait for an answer. */
  readonly lineState: LineState;
  readonly tools: ToolRegistry;
  /** Sends the present history to the model. */
  ask(signal: AbortSignal): Promise<Response>;
  /** A piece of the answer's text. Resolves when the next one may come. */
  handlePiece(text: string): Promise<void>;
  /** A tool server's tool wants to show something. */
  handleContent(content: unknown): void;
  /** The answer says that nothing was found. */
  handleNotFound(): void;
  /** The model's text is complete, or complete up to its tool calls. */
  handleRoundEnd(): void;
  /** The model has set the avatar's face; the arguments are JSON text. */
  express(args: string): void;
  /** A tool call with its result, for the history. */
  remember(messages: ChatMessage[]): void;
}

/** Gets an answer from the model: streams its text, runs the page's tools and sends their results back. Throws VisavisError. */
export async function answer(task: AnswerTask): Promise<void> {
  for (let round = 0; round <= roundsLimit; round++) {
    const calls = await streamRound(task);
    task.signal.throwIfAborted();
    task.handleRoundEnd();
    if (!calls.length) return;
    const results = await Promise.all(calls.map((call) => task.tools.run(call, task.signal)));
    task.signal.throwIfAborted();
    task.remember([callMessage(calls), ...results]);
  }
  throw new VisavisError("engine_failed", "The answer needed too many steps. Ask the question differently.");
}

/** Streams one answer. Returns the tool calls for the page. Calls that the server ran itself go into the history. */
async function streamRound(task: AnswerTask): Promise<ToolCall[]> {
  const open = new Map<string, ToolCall>();
  for await (const event of streamAnswer((signal) => task.ask(signal), task.signal, task.lineState)) {
    task.signal.throwIfAborted();
    if (event.type === "message") await task.handlePiece(event.content);
    else if (event.type === "finish") {
      if (event.found === false) task.handleNotFound();
    } else if (event.role === "assistant") for (const call of event.tool_calls) open.set(call.id, call);
    else {
      const call = open.get(event.tool_call_id);
      if (event.visavis !== undefined) task.handleContent(event.visavis);
      if (!call || !open.delete(call.id)) continue;
      if (call.function.name === expressionToolName) task.express(call.function.arguments);
      else
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
