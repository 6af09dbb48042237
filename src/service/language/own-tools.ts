import {
  avatarExpressions,
  avatarExpressionSchema,
  avatarMoods,
  expressionToolName,
} from "../../protocol/session/data-channel.ts";
import type { ToolDefinition } from "../../protocol/answers/llm-request.ts";
import type { LlmStreamEvent } from "../../protocol/answers/llm-stream.ts";
import type { Turn } from "./language-model.ts";
import type { Toolbox } from "./mcp/tool-loop.ts";

/** The built-in tool by which a model sets the face of its avatar. The client passes each call on with its own messages. */
const expressionTool: ToolDefinition = {
  type: "function",
  function: {
    name: expressionToolName,
    description:
      "Sets the face of your avatar. Call it together with your answer, before its text, and only where the face should not be " +
      "neutral. The mood lasts for this answer; the expression is shown once. Never mention this tool.",
    parameters: {
      type: "object",
      properties: {
        mood: { type: "string", enum: [...avatarMoods] },
        expression: { type: "string", enum: [...avatarExpressions] },
      },
      additionalProperties: false,
    },
  },
};

/** The tool's result for a model: whether the face can show it. */
function expressionResult(args: Record<string, unknown>): string {
  const parsed = avatarExpressionSchema.safeParse(args);
  if (parsed.success && (parsed.data.mood ?? parsed.data.expression) !== undefined) return "Done.";
  return `Error: name a mood (${avatarMoods.join(", ")}), an expression (${avatarExpressions.join(", ")}), or both.`;
}

/** The built-in tool by which a model says that it has no answer. Its calls stay within the service. */
const missingAnswerTool: ToolDefinition = {
  type: "function",
  function: {
    name: "report_missing_answer",
    description:
      "Reports that the information you were given does not answer the visitor's question, so that its owner can add the answer. " +
      "Call it together with your answer whenever you have to say that you do not know something. Never mention this tool.",
    parameters: { type: "object", properties: {}, additionalProperties: false },
  },
};

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
