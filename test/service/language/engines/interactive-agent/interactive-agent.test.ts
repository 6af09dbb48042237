import { expect, test } from "vitest";
import type { LlmStreamEvent } from "../../../../../src/protocol/answers/llm-stream.ts";
import { silentLogger } from "../../../../../src/logging/logger.ts";
import { createOutboundCalls } from "../../../../../src/service/outbound/outbound-calls.ts";
import {
  createInteractiveAgent,
  interactiveAgentSettingsSchema,
} from "../../../../../src/service/language/engines/interactive-agent/interactive-agent.ts";
import { agentEvents, runAgentServer } from "./agent-server.ts";

async function answer(engine: Record<string, unknown>): Promise<LlmStreamEvent[]> {
  const settings = interactiveAgentSettingsSchema.parse(engine);
  const agent = createInteractiveAgent("a", settings, {
    fetch,
    guardedFetch: createOutboundCalls({ allowPrivate: false }).address({ isOperators: true }),
    log: silentLogger,
  });
  const events: LlmStreamEvent[] = [];
  const messages = [{ role: "user" as const, content: "Hello" }];
  for await (const event of agent.answer({ systemPrompt: "", messages, tools: [] })) events.push(event);
  return events;
}

test("an agent at a private address is called only if the operator allows it", async () => {
  const piece = { status: "success", type: "message", role: "assistant", content: "Hi." };
  const agent = await runAgentServer(agentEvents(piece));
  expect(await answer({ url: agent.url })).toEqual([
    { status: "error", reason: "The language model cannot be reached." },
  ]);
  expect(agent.requests).toEqual([]);
  expect(await answer({ url: agent.url, allow_private: true })).toEqual([piece]);
});
