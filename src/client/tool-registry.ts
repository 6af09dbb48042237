import type { ChatMessage, ToolCall, ToolDefinition } from "../protocol/llm-stream.ts";
import type { ClientTool } from "./avatar-session.ts";

/** The page's functions that the language model may call. */
export class ToolRegistry {
  readonly #tools = new Map<string, ClientTool>();

  register(tool: ClientTool): void {
    this.#tools.set(tool.name, tool);
  }

  get definitions(): ToolDefinition[] {
    return [...this.#tools.values()].map(({ name, description, parameters }) => ({
      type: "function",
      function: { name, description, parameters },
    }));
  }

  /** Runs a call; faults become the result's text, since the model can act on them. Never rejects. */
  async run(call: ToolCall, onRun: (args: unknown) => void): Promise<ChatMessage> {
    const content = await this.#outcome(call, onRun);
    return { role: "tool", type: "tool_call", content, tool_call_id: call.id };
  }

  async #outcome(
    { function: { name, arguments: text } }: ToolCall,
    onRun: (args: unknown) => void,
  ): Promise<string> {
    const tool = this.#tools.get(name);
    if (!tool) return `Error: there is no tool named ${name}.`;
    try {
      const args: unknown = JSON.parse(text || "{}");
      onRun(args);
      const result = await tool.run(args);
      return (typeof result === "string" ? result : JSON.stringify(result ?? null)).slice(0, 32_768);
    } catch (error) {
      return `Error: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
}
