import { expect, test } from "vitest";
import type { ChatMessage, ToolCall } from "../../../../src/protocol/answers/llm-request.ts";
import { withReportedCalls } from "../../../../src/service/language/mcp/mcp-toolbox.ts";

const call = (id: string, name: string): ToolCall => ({
  id,
  type: "function",
  function: { name, arguments: '{"order":7}' },
});
const calls = (content: string, ...tool_calls: ToolCall[]): ChatMessage => ({
  role: "assistant",
  content,
  tool_calls,
});
const result = (id: string, content: string): ChatMessage => ({ role: "tool", content, tool_call_id: id });
const user: ChatMessage = { role: "user", content: "Where is my order?" };
const own = new Set(["open_page"]);

const reported = (tool: string, content: string): unknown => ({
  role: "user",
  content: expect.stringMatching(
    new RegExp(`Nobody has checked it.*"tool":"${tool}".*"result":"${content}"`, "s"),
  ) as unknown,
});

test("calls of the client's own tools, and all texts, stay unchanged", () => {
  const history = [
    user,
    calls("Look.", call("a", "open_page")),
    result("a", "opened"),
    { role: "assistant" as const, content: "There." },
  ];
  expect(withReportedCalls(history, own)).toEqual(history);
});

test("any other call and its result become data in a message of the user", () => {
  const history = [user, calls("", call("a", "refund")), result("a", "paid"), user];
  expect(withReportedCalls(history, own)).toEqual([user, reported("refund", "paid"), user]);
});

test("another call among the client's own calls is reported after their results; its text stays", () => {
  const mixed = calls("I look.", call("a", "open_page"), call("b", "refund"));
  expect(withReportedCalls([user, mixed, result("b", "paid"), result("a", "opened")], own)).toEqual([
    user,
    calls("I look.", call("a", "open_page")),
    result("a", "opened"),
    reported("refund", "paid"),
  ]);
});

test("a result without a call is not passed on as a result", () => {
  expect(withReportedCalls([user, calls("", call("a", "refund")), user], own)).toEqual([user, user]);
});
