import type { LlmStreamEvent } from "../../protocol/llm-stream.ts";
import type { ToolDefinition } from "../../protocol/llm-request.ts";
import { expressionResult, expressionTool } from "./expression/expression-tool.ts";
import type { Turn } from "./language-model.ts";
import type { Toolbox } from "./mcp/tool-loop.ts";
import { missingAnswerTool } from "./missing-answer-tool.ts";

const expressionName = expressionTool.function.name;
const missingName = missingAnswerTool.function.name;

/** The names of the service's own tools, which no other tool may have. */
export const ownToolNames: readonly string[] = [expressionName, missingName];

/** The tools with the service's own. */
interface OwnTools {
  toolbox: Toolbox;
  /** Whether the model said that it has no answer. */
  isMissing(): boolean;
}

function offeredTools({ tools, hasFace, reportsMissing }: Turn): ToolDefinition[] {
  const taken = new Set(tools.map((tool) => tool.function.name));
  const own = [
    ...(hasFace === true ? [expressionTool] : []),
    ...(reportsMissing === true ? [missingAnswerTool] : []),
  ];
  // A client's tool of the same name wins.
  return own.filter((tool) => !taken.has(tool.function.name));
}

/** The tools of a turn with those of the service that it may use. */
export function withOwnTools(toolbox: Toolbox, turn: Turn): OwnTools {
  const offered = offeredTools(turn);
  if (offered.length === 0) return { toolbox, isMissing: () => false };
  const names = new Set(offered.map((tool) => tool.function.name));
  let missing = false;
  return {
    toolbox: {
      definitions: [...toolbox.definitions, ...offered],
      resultless: names,
      silent: new Set([missingName]),
      run(called, args, signal) {
        if (!names.has(called)) return toolbox.run(called, args, signal);
        if (called === expressionName) return Promise.resolve({ text: expressionResult(args) });
        missing = true;
        return Promise.resolve({ text: "Reported. Tell the visitor that you do not know." });
      },
    },
    isMissing: () => missing,
  };
}

/** An answer whose end says whether the model reported that it has none. */
export async function* withMissingNoted(
  answer: AsyncIterable<LlmStreamEvent>,
  isMissing: () => boolean,
): AsyncGenerator<LlmStreamEvent> {
  let isOver = false;
  for await (const event of answer) {
    isOver = event.status === "error" || (event.type === "tool_call" && event.role === "assistant");
    yield event;
  }
  if (isMissing() && !isOver)
    yield { status: "success", type: "finish", role: "assistant", content: "", found: false };
}
