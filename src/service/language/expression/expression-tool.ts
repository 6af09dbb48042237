import {
  avatarExpressions,
  avatarExpressionSchema,
  avatarMoods,
  expressionToolName,
} from "../../../protocol/data-channel.ts";
import type { ToolDefinition } from "../../../protocol/llm-request.ts";

/** The built-in tool by which a model sets the face of its avatar. The client passes each call on with its own messages. */
export const expressionTool: ToolDefinition = {
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
export function expressionResult(args: Record<string, unknown>): string {
  const parsed = avatarExpressionSchema.safeParse(args);
  if (parsed.success && (parsed.data.mood ?? parsed.data.expression) !== undefined) return "Done.";
  return `Error: name a mood (${avatarMoods.join(", ")}), an expression (${avatarExpressions.join(", ")}), or both.`;
}
