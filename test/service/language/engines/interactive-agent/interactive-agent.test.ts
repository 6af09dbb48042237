import { expect, test } from "vitest";
import { silentLogger } from "../../../../../src/logging/logger.ts";
import { createOutboundCalls } from "../../../../../src/service/outbound/outbound-calls.ts";
import {
  createInteractiveAgent,
  interactiveAgentSettingsSchema,
} from "../../../../../src/service/language/engines/interactive-agent/interactive-agent.ts";
import { eventsOf, said } from "../../answer-parts.ts";
import { agentEvents, runAgentServer } from "./agent-server.ts";

test("an agent at a private address is called only if the operator allows it", async () => {
  const guardedFetch = createOutboundCalls({ allowPrivate: false }).address({ isOperators: true });
  const server = await runAgentServer(agentEvents(said("Hi.")));
  function answer(engine: object) {
    const settings = interactiveAgentSettingsSchema.parse({ url: server.url, ...engine });
    const agent = createInteractiveAgent("a", settings, { fetch, guardedFetch, log: silentLogger });
    const messages = [{ role: "user" as const, content: "Hello" }];
    return eventsOf(agent.answer({ systemPrompt: "", messages, tools: [] }));
  }
  const reason = "The language model cannot be reached.";
  expect(await answer({})).toEqual([{ status: "error", reason }]);
  expect(server.requests).toEqual([]);
  expect(await answer({ allow_private: true })).toEqual([said("Hi.")]);
});
