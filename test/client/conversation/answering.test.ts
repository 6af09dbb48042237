import { expect, test } from "vitest";
import { answer, ToolRegistry } from "../../../src/client/conversation/answering.ts";
import type { ChatMessage } from "../../../src/protocol/answers/llm-request.ts";

const event = (fields: Record<string, unknown>): string =>
  `data: ${JSON.stringify({ status: "success", content: "", ...fields })}\n\n`;

function called(id: string, name: string, args: string): string {
  const tool_calls = [{ id, type: "function", function: { name, arguments: args } }];
  return event({ type: "tool_call", role: "assistant", tool_calls });
}

const resultOf = (id: string): string =>
  event({ type: "tool_call", role: "tool", content: "Done.", tool_call_id: id });

test("a model's call for the avatar's face is passed on, and other calls of the server go into the history", async () => {
  const stream =
    called("f", "set_expression", '{"mood":"happy"}') +
    resultOf("f") +
    called("s", "stock", "{}") +
    resultOf("s") +
    event({ type: "message", role: "assistant", content: "Welcome!" }) +
    event({ type: "finish", role: "assistant" });
  const [expressed, remembered, said]: [string[], ChatMessage[], string[]] = [[], [], []];
  await answer({
    signal: new AbortController().signal,
    lineState: { backSinceMs: 0 },
    tools: new ToolRegistry(new Map(), {
      handleCall: () => undefined,
      handleEnd: () => undefined,
      handleContent: () => undefined,
    }),
    ask: () => Promise.resolve(new Response(stream)),
    handlePiece: (text) => Promise.resolve(void said.push(text)),
    handleContent: () => undefined,
    handleHandover: () => undefined,
    handleFinding: () => undefined,
    handleRoundEnd: () => undefined,
    express: (args) => expressed.push(args),
    remember: (messages) => remembered.push(...messages),
  });
  expect(expressed).toEqual(['{"mood":"happy"}']);
  expect(said).toEqual(["Welcome!"]);
  expect(remembered.flatMap(({ tool_calls: calls = [] }) => calls.map((call) => call.function.name))).toEqual(
    ["stock"],
  );
});
