import type { ToolDefinition } from "../../protocol/llm-request.ts";

/** The built-in tool by which a model says that it has no answer. Its calls stay within the service. */
export const missingAnswerTool: ToolDefinition = {
  type: "function",
  function: {
    name: "report_missing_answer",
    description:
      "Reports that the information you were given does not answer the visitor's question, so that its owner can add the answer. " +
      "Call it together with your answer whenever you have to say that you do not know something. Never mention this tool.",
    parameters: { type: "object", properties: {}, additionalProperties: false },
  },
};
