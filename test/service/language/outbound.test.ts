import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createOutboundCalls } from "../../../src/service/outbound/outbound-calls.ts";
import { createLanguageModels } from "../../../src/service/language/create-language-models.ts";
import { silentLogger } from "../../../src/logging/logger.ts";

/** Asks a model at a name that resolves to these addresses. Resolves with its answer and how often the local server was called. */
async function askAt(addresses: readonly string[], isOperators = true) {
  let calls = 0;
  const server = createServer((_request, response) => {
    calls += 1;
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end('data: {"choices":[{"delta":{"content":"Hello."}}]}\n\ndata: [DONE]\n\n');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const resolve = () => Promise.resolve(addresses.map((address) => ({ address, family: 4 })));
  const models = createLanguageModels({
    log: silentLogger,
    outbound: createOutboundCalls({ allowPrivate: true, resolve }),
  });
  onTestFinished(async () => {
    await models.close();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const model = models.model({
    id: "m",
    name: "m",
    body: { name: "m", service: "onpremise" },
    engine: { base_url: `${isOperators ? "http" : "https"}://llm.example:${port}/v1`, model: "m" },
    isOperators,
  });
  const statuses: string[] = [];
  const turn = {
    systemPrompt: "",
    messages: [{ role: "user" as const, content: "Hi" }],
    tools: [],
    speaks: false,
  };
  for await (const { status } of model!.answer(turn)) statuses.push(status);
  return { statuses, calls };
}

test("a model of the operator may be in a private network", async () => {
  const { statuses, calls } = await askAt(["127.0.0.1"]);
  expect([statuses.includes("error"), calls]).toEqual([false, 1]);
});

test("no model is called at a name that also leads to a cloud's metadata", async () => {
  expect(await askAt(["127.0.0.1", "169.254.169.254"])).toEqual({ statuses: ["error"], calls: 0 });
});

test("no model of another organization is called at a name that leads into a private network", async () => {
  expect(await askAt(["127.0.0.1"], false)).toEqual({ statuses: ["error"], calls: 0 });
});
