import type { ChatMessage, LlmStreamEvent, ToolCall, ToolDefinition } from "../../protocol/llm-stream.ts";
import type { LanguageModel, Turn } from "./language-model.ts";

/** Tools that are run here. */
export interface Toolbox {
  definitions: readonly ToolDefinition[];
  /** The result as the model is to read it. Never rejects: what goes wrong is told in the result. */
  run(name: string, args: Record<string, unknown>, signal: AbortSignal | undefined): Promise<string>;
}

/** How often tools may be run here for one turn before the model has to answer. */
const maxRounds = 8;

const endless: LlmStreamEvent = {
  status: "error",
  reason: "The answer needed too many steps. Ask in another way.",
};

function callEvent(calls: ToolCall[]): LlmStreamEvent {
  return { status: "success", type: "tool_call", role: "assistant", content: "", tool_calls: calls };
}

function parseArguments(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

/** What one answer of the model came to. */
interface Round {
  said: string;
  calls: ToolCall[];
  failed: boolean;
}

/** Passes an answer on, but for its calls, which are gathered. */
async function* passOn(events: AsyncIterable<LlmStreamEvent>, round: Round): AsyncGenerator<LlmStreamEvent> {
  for await (const event of events) {
    if (event.status === "success" && event.type === "tool_call" && event.role === "assistant") {
      round.calls.push(...event.tool_calls);
      continue;
    }
    if (event.status === "error") round.failed = true;
    else if (event.type === "message") round.said += event.content;
    yield event;
  }
}

/** The outcome of calls that are answered here: also those that nobody can run, so that the model can mend them. */
async function results(calls: readonly ToolCall[], toolbox: Toolbox, turn: Turn): Promise<ChatMessage[]> {
  const outcome = ({ function: { name, arguments: text } }: ToolCall): string | Promise<string> => {
    const args = parseArguments(text);
    if (args === null) return "Error: the arguments are not a JSON object.";
    if (!toolbox.definitions.some((tool) => tool.function.name === name))
      return `Error: there is no tool named ${name}.`;
    return toolbox.run(name, args, turn.signal);
  };
  return Promise.all(
    calls.map(async (call) => ({
      role: "tool" as const,
      content: await outcome(call),
      tool_call_id: call.id,
    })),
  );
}

/**
 * Has a model answer with tools: those of the toolbox are run here, their results sent on as events and given back to the
 * model; a tool of the client's own ends the stream after its call.
 */
export async function* answerWithTools(
  model: LanguageModel,
  turn: Turn,
  toolbox: Toolbox,
): AsyncGenerator<LlmStreamEvent> {
  const theirs = new Set(turn.tools.map((tool) => tool.function.name));
  const tools = [...turn.tools, ...toolbox.definitions];
  const messages = [...turn.messages];
  for (let rounds = 0; ; rounds++) {
    const round: Round = { said: "", calls: [], failed: false };
    const last = rounds === maxRounds;
    yield* passOn(model.answer({ ...turn, messages, tools, withoutTools: last }), round);
    if (round.failed || turn.signal?.aborted || round.calls.length === 0) return;
    const isTheirs = ({ function: { name, arguments: text } }: ToolCall): boolean =>
      theirs.has(name) && parseArguments(text) !== null;
    const toClient = round.calls.filter(isTheirs);
    const toRun = round.calls.filter((call) => !isTheirs(call));
    if (toRun.length > 0) {
      if (last) {
        yield endless;
        return;
      }
      yield callEvent(toRun);
      const answered = await results(toRun, toolbox, turn);
      if (turn.signal?.aborted) return;
      for (const { content, tool_call_id: id = "" } of answered)
        yield { status: "success", type: "tool_call", role: "tool", content, tool_call_id: id };
      messages.push({ role: "assistant", content: round.said, tool_calls: toRun }, ...answered);
    }
    if (toClient.length > 0) {
      yield callEvent(toClient);
      return;
    }
  }
}
