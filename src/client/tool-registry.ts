import type { ChatMessage, ToolCall, ToolDefinition } from "../protocol/llm-request.ts";
import { readRichContent } from "../protocol/read-rich-content.ts";
import type { RichContent } from "../protocol/rich-content.ts";
import type { ClientTool } from "./client-tool.ts";

/** How long a tool may run if it does not say otherwise, in ms. */
const defaultLimitMs = 20_000;
const resultMaxLength = 32_768;

/** What is told of a tool's run. */
export interface ToolWatcher {
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
