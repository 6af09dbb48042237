import type { ChatMessage, ToolCall, ToolDefinition } from "../../protocol/answers/llm-request.ts";
import { answerSourcesSchema } from "../../protocol/answers/answer-source.ts";
import { readRichContent } from "../../protocol/answers/read-rich-content.ts";
import type { RichContent } from "../../protocol/answers/rich-content.ts";
import type { ClientTool } from "./client-tool.ts";
import { type LlmStreamEvent, llmStreamEventSchema } from "../../protocol/answers/llm-stream.ts";
import type { TranscriptEntry } from "./transcript-entry.ts";
import { VisavisError } from "../visavis-error.ts";
import { expressionToolName } from "../../protocol/session/data-channel.ts";

/** How long a tool may run if it does not say otherwise, in ms. */
const defaultLimitMs = 20_000;
const resultMaxLength = 32_768;

/** What is told of a tool's run. */
interface ToolWatcher {
  handleCall(name: string, args: unknown): void;
  /** `error` is what the model is told of a failure. */
  handleEnd(name: string, error: string | null): void;
  /** The result wants something to be shown. `fault`: what it wants cannot be shown, and why. */
  handleContent(name: string, read: { content: RichContent } | { fault: string }): void;
}

/** What a tool's result wants to be shown. */
function contentOf(result: unknown): unknown {
  return typeof result === "object" && result !== null && "visavis" in result ? result.visavis : undefined;
}

/** The page's functions as the language model is told of them. */
export function toolDefinitions(tools: ReadonlyMap<string, ClientTool>): ToolDefinition[] {
  return [...tools.values()].map(({ name, description, parameters }) => ({
    type: "function",
    function: { name, description, parameters },
  }));
}

/** The page's functions that the language model may call. */
export class ToolRegistry {
  readonly #tools: ReadonlyMap<string, ClientTool>;
  readonly #watcher: ToolWatcher;

  constructor(tools: ReadonlyMap<string, ClientTool>, watcher: ToolWatcher) {
    this.#tools = tools;
    this.#watcher = watcher;
  }

  /**
   * Runs a call within its time limit. An error becomes the result's text, so that the model can react to it. Never rejects.
   */
  async run(call: ToolCall, signal: AbortSignal): Promise<ChatMessage> {
    const content = await this.#outcome(call, signal);
    return { role: "tool", type: "tool_call", content, tool_call_id: call.id };
  }

  async #outcome({ function: { name, arguments: text } }: ToolCall, turn: AbortSignal): Promise<string> {
    const tool = this.#tools.get(name);
    if (!tool) return `Error: there is no tool named ${name}.`;
    try {
      const args: unknown = JSON.parse(text || "{}");
      this.#watcher.handleCall(name, args);
      const result = await runLimited(tool, args, turn);
      this.#watcher.handleEnd(name, null);
      const fault = this.#show(name, contentOf(result));
      const told = typeof result === "string" ? result : JSON.stringify(result ?? null);
      return (fault === null ? told : `Error: nothing was shown. ${fault}\n${told}`).slice(
        0,
        resultMaxLength,
      );
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#watcher.handleEnd(name, message);
      return `Error: ${message}`;
    }
  }

  /** Shows what a result wants to be shown. Returns why it cannot be; null if it can, or there is nothing. */
  #show(name: string, wanted: unknown): string | null {
    if (wanted === undefined) return null;
    const read = readRichContent(wanted);
    this.#watcher.handleContent(name, read);
    return "fault" in read ? read.fault : null;
  }
}

/** Runs a tool until its end, its time limit or the end of the turn. Throws what it throws, or that its time is up. */
async function runLimited(tool: ClientTool, args: unknown, turn: AbortSignal): Promise<unknown> {
  const { timeoutMs = defaultLimitMs } = tool;
  const signal = AbortSignal.any([turn, AbortSignal.timeout(timeoutMs)]);
  const stopped = new Promise<never>((_resolve, reject) => {
    const late = new Error(`${tool.name} did not answer within ${timeoutMs / 1_000} s.`);
    signal.addEventListener("abort", () => reject(late));
  });
  return Promise.race([tool.run(args, { signal }), stopped]);
}

/** Longer events are left out: the page would stand still while they are parsed. */
const lineMaxCharacters = 1_000_000;

/**
 * The `data:` payloads of a stream of Server-Sent Events, and an empty one for each comment: it says that the service is still there.
 * Each of our events is one line, so reading line by line accepts both framings: events separated by a blank line or by a single line
 * break (wire conventions, Language model stream).
 */
export async function* readEventLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  /** Whether the last piece ended with a carriage return, of which the next piece tells whether it ended a line. */
  let cut = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const piece = decoder.decode(value, { stream: !done });
      // A long event comes in many pieces, and is not looked through again with each of them.
      const goesOn = !done && !cut && !/[\r\n]/.test(piece);
      cut = piece.endsWith("\r");
      rest += piece;
      if (goesOn) continue;
      const lines = rest.split(/\r\n|\n|\r(?!$)/);
      rest = done ? "" : (lines.pop() ?? "");
      for (const line of lines) {
        if (line.length > lineMaxCharacters) continue;
        if (line.startsWith("data:")) yield line.slice(5).trim();
        else if (line.startsWith(":")) yield "";
      }
      if (done) return;
    }
  } finally {
    // This also runs when the consumer stops early: the rest must not be downloaded.
    reader.cancel().catch(() => undefined);
  }
}

/** Longest wait for an answer to begin, if only with its headers, and for each next byte, in ms. */
const firstByteLimitMs = 10_000;
const idleLimitMs = 15_000;
/** Longest wait after the connection came back, in ms: TCP doubles its pauses, so it sends again up to 13 s after a 20 s cut. */
const afterCutLimitMs = 15_000;
/** A timer that fires so much too late, in ms, belongs to a page that has read nothing meanwhile either. */
const standstillMs = 1_000;

const brokenOff = "The answer was interrupted. Ask again.";

type StreamedAnswer = Exclude<LlmStreamEvent, { status: "error" }>;

/** Relays that have ended an answer with `finish`. If one of them ends an answer without it, the answer was cut off. */
const finishing = new Set<string>();

/** Whether the service is reachable, as the connection's messages show. */
export interface LineState {
  /** When messages last resumed after a gap, by `performance.now()`. 0 if there was no gap, infinite during one. */
  readonly backSinceMs: number;
}

/** Limits the wait for the service's next byte. Does not count the time in which the connection was lost. */
class SilenceLimit {
  readonly #line: LineState;
  readonly #controller = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(line: LineState) {
    this.#line = line;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Starts the wait again. */
  start(limitMs: number): void {
    this.stop();
    const startedAtMs = performance.now();
    let hasStoodStill = false;
    const check = (): void => {
      const { backSinceMs } = this.#line;
      const endsAtMs = backSinceMs > startedAtMs ? backSinceMs + afterCutLimitMs : startedAtMs + limitMs;
      const leftMs = Math.min(endsAtMs - performance.now(), afterCutLimitMs);
      if (leftMs > 0) this.#timer = setTimeout(check, leftMs);
      else if (leftMs < -standstillMs && !hasStoodStill) {
        // The page stood still, or slept: what came meanwhile is read first.
        hasStoodStill = true;
        this.#timer = setTimeout(check, standstillMs);
      } else this.#controller.abort();
    };
    check();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

/**
 * Sends the request and reads the answer's events up to `finish`. Ignores malformed and unknown events. Throws VisavisError:
 * what the request throws; `engine_failed` when the model reports an error, when nothing arrives for too long, or when a
 * stream that should end with `finish` ends without it and without a tool call for the client.
 */
export async function* streamAnswer(
  ask: (signal: AbortSignal) => Promise<Response>,
  signal: AbortSignal,
  line: LineState,
): AsyncGenerator<StreamedAnswer> {
  const silence = new SilenceLimit(line);
  silence.start(firstByteLimitMs);
  try {
    const response = await ask(AbortSignal.any([signal, silence.signal]));
    if (!response.body) throw new VisavisError("invalid_response", "The answer is empty. Ask again.");
    silence.start(idleLimitMs);
    const relay = response.url.split("/embed/", 1)[0] ?? "";
    let isOpen = true;
    for await (const eventLine of readEventLines(response.body)) {
      silence.start(idleLimitMs);
      const event = parseEvent(eventLine);
      if (event?.status === "error") throw new VisavisError("engine_failed", event.reason);
      if (event?.type === "finish") {
        finishing.add(relay);
        yield event;
        return;
      }
      if (!event) continue;
      // A stream may end after a tool call for the client.
      isOpen = event.type === "message" || event.type === "handover" || event.role === "tool";
      yield event;
    }
    if (isOpen && finishing.has(relay)) throw new VisavisError("engine_failed", brokenOff);
  } catch (error) {
    if (silence.signal.aborted)
      throw new VisavisError("engine_failed", "The answer stopped in the middle. Ask again.", error);
    throw VisavisError.from(error, "engine_failed", brokenOff);
  } finally {
    silence.stop();
  }
}

function parseEvent(line: string): LlmStreamEvent | undefined {
  try {
    return llmStreamEventSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/** How many rounds of tool calls the model may make before it must answer. */
const roundsLimit = 5;

/** What answering needs from the conversation. */
interface AnswerTask {
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
  /** A person answers; their words come another way. */
  handleHandover(): void;
  /** The answer says that nothing was found, or where it is from. */
  handleFinding(finding: Pick<TranscriptEntry, "found" | "sources">): void;
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
    else if (event.type === "handover") task.handleHandover();
    else if (event.type === "finish") {
      const { found } = event;
      const sources = answerSourcesSchema.safeParse(event.sources).data;
      task.handleFinding({ ...(found === false && { found }), ...(sources && { sources }) });
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
