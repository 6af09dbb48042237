import { expect, onTestFinished, test } from "vitest";
import { silentLogger } from "../../../src/logging/logger.ts";
import { createLanguageModels } from "../../../src/service/language/create-language-models.ts";
import { createOutboundCalls } from "../../../src/service/outbound/outbound-calls.ts";
import { eventsOf } from "./answer-parts.ts";
import { runChatServer, saying, streams } from "./engines/chat-completions/chat-server.ts";

const metadata = ["127.0.0.1", "169.254.169.254"];
test.each<[string, boolean, string[], boolean, number]>([
  ["of the operator may be", true, ["127.0.0.1"], false, 1],
  ["is not called where a name also leads to a cloud's metadata", true, metadata, true, 0],
  ["of another organization is not called where it is", false, ["127.0.0.1"], true, 0],
])("a model in a private network %s", async (_what, isOperators, addresses, fails, calls) => {
  const server = await runChatServer(streams(saying("Hello.")));
  const resolve = () => Promise.resolve(addresses.map((address) => ({ address, family: 4 })));
  const outbound = createOutboundCalls({ allowPrivate: true, resolve });
  const models = createLanguageModels({ log: silentLogger, outbound });
  onTestFinished(() => models.close());
  const url = new URL(server.url);
  const base = `${isOperators ? "http" : "https"}://llm.example:${url.port}/v1`;
  const model = models.model({
    ...{ id: "m", name: "m", body: { name: "m", service: "onpremise" }, isOperators },
    engine: { base_url: base, model: "m" },
  })!;
  const messages = [{ role: "user" as const, content: "Hi" }];
  const events = await eventsOf(model.answer({ systemPrompt: "", messages, tools: [], speaks: false }));
  expect(events.some(({ status }) => status === "error")).toBe(fails);
  expect(server.requests).toHaveLength(calls);
});
