import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { readRichContent } from "../../../protocol/answers/read-rich-content.ts";
import type { RichContent } from "../../../protocol/answers/rich-content.ts";
import type { ChatMessage, ToolCall, ToolDefinition } from "../../../protocol/answers/llm-request.ts";
import type { LlmStreamEvent } from "../../../protocol/answers/llm-stream.ts";
import type { LanguageModel, Turn } from "../language-model.ts";

/** How much of a result the model reads, in characters. More would leave too little space for the conversation. */
const toolResultMaxCharacters = 16_000;

function blockText(block: CallToolResult["content"][number]): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "resource":
      return "text" in block.resource ? block.resource.text : `[file ${block.resource.uri}]`;
    case "resource_link":
      return `[link ${block.uri}]`;
    default:
      return `[${block.type}]`;
  }
}

function cut(text: string): string {
  if (text.length <= toolResultMaxCharacters) return text;
  // Do not split a surrogate pair.
  const shown = text.slice(0, toolResultMaxCharacters).replace(/[\uD800-\uDBFF]$/, "");
  return `${shown}\n[cut here: ${text.length - shown.length} more characters]`;
}

/** A tool's result: the text for the model, and what the visitor is shown. */
interface ToolResult {
  readonly text: string;
  readonly visavis?: RichContent;
}

function resultText({ content, structuredContent, isError }: CallToolResult): string {
  const texts = content.map(blockText).join("\n").trim();
  const result = texts === "" && structuredContent ? JSON.stringify(structuredContent) : texts;
  return `${isError ? "Error: " : ""}${result === "" ? "(no content)" : result}`;
}

/**
 * A tool's result. The model reads its texts, or its structured content if there are none. The visitor is shown the field
 * `visavis` of the structured content or of `_meta` (docs/rich-answers.md). If it cannot be shown, the model is told why.
 */
export function toolResult(result: CallToolResult): ToolResult {
  const wanted = result.structuredContent?.["visavis"] ?? result._meta?.["visavis"];
  const text = resultText(result);
  if (wanted === undefined) return { text: cut(text) };
  const read = readRichContent(wanted);
  return "content" in read
    ? { text: cut(text), visavis: read.content }
    : { text: cut(`Error: nothing was shown. ${read.fault}\n${text}`) };
}

/** Tools that run on the server. */
export interface Toolbox {
  definitions: readonly ToolDefinition[];
  /** The result for the model and the visitor. Never rejects: an error is described in the result. */
  run(name: string, args: Record<string, unknown>, signal: AbortSignal | undefined): Promise<ToolResult>;
  /** Tools whose results tell the model nothing: an answer that was given with such a call is complete. */
  resultless?: ReadonlySet<string>;
  /** Tools whose calls stay within the service. */
  silent?: ReadonlySet<string>;
}

/** How many rounds of tool calls one turn may have before the model has to answer. */
const maxRounds = 8;

const endless: LlmStreamEvent = {
  status: "error",
  reason: "The answer needed too many steps. Ask the question differently.",
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

/** What one answer of the model produced. */
interface Round {
  said: string;
  calls: ToolCall[];
  failed: boolean;
}

/** Passes an answer on, except its tool calls, which are collected. */
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

/** The results of calls that are answered here, including errors for unknown tools, so that the model can correct them. */
async function results(
  calls: readonly ToolCall[],
  toolbox: Toolbox,
  turn: Turn,
): Promise<(ToolResult & { call: ToolCall })[]> {
  const outcome = ({ function: { name, arguments: text } }: ToolCall): ToolResult | Promise<ToolResult> => {
    const args = parseArguments(text);
    if (args === null) return { text: "Error: the arguments are not a JSON object." };
    if (!toolbox.definitions.some((tool) => tool.function.name === name))
      return { text: `Error: there is no tool named ${name}.` };
    return toolbox.run(name, args, turn.signal);
  };
  return Promise.all(calls.map(async (call) => ({ call, ...(await outcome(call)) })));
}

function resultEvent({ call, text, visavis }: ToolResult & { call: ToolCall }): LlmStreamEvent {
  return {
    status: "success",
    type: "tool_call",
    role: "tool",
    content: text,
    tool_call_id: call.id,
    ...(visavis && { visavis }),
  };
}

function resultMessage({ call, text }: ToolResult & { call: ToolCall }): ChatMessage {
  return { role: "tool", content: text, tool_call_id: call.id };
}

/** Whether the visitor's client is told of a call. */
function isTold({ function: { name } }: ToolCall, { silent }: Toolbox): boolean {
  return silent?.has(name) !== true;
}

function isResultless({ function: { name } }: ToolCall, { resultless }: Toolbox): boolean {
  return resultless?.has(name) ?? false;
}

/**
 * Lets a model answer with tools. Tools of the toolbox run here; their results are sent as events and given back to the model. A
 * call of a client's own tool ends the stream.
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
    const last = rounds > maxRounds;
    const offered = last ? { tools: [] } : { tools, withoutTools: rounds === maxRounds };
    yield* passOn(model.answer({ ...turn, messages, ...offered }), round);
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
      // Some servers let a model call tools although it may not: then it is asked without any.
      if (rounds === maxRounds && round.said.trim() === "") continue;
      if (rounds === maxRounds) return;
      const told = toRun.filter((call) => isTold(call, toolbox));
      if (told.length > 0) yield callEvent(told);
      const answered = await results(toRun, toolbox, turn);
      if (turn.signal?.aborted) return;
      for (const result of answered) if (isTold(result.call, toolbox)) yield resultEvent(result);
      messages.push(
        { role: "assistant", content: round.said, tool_calls: toRun },
        ...answered.map(resultMessage),
      );
      const isAnswered = round.said.trim() !== "" && toRun.every((call) => isResultless(call, toolbox));
      if (isAnswered && toClient.length === 0) return;
    }
    if (toClient.length > 0) {
      yield callEvent(toClient);
      return;
    }
  }
}
