import { expect, test } from "vitest";
import type { Overview } from "../../../src/protocol/console/overview.ts";
import { jsonOf } from "../answers.ts";
import { runEngines, saidBy } from "../engines-fixture.ts";
import { chunk, runChatServer, streams } from "../language/engines/chat-completions/chat-server.ts";

/** An answer with its use: 1,000 tokens in, 100 out. */
const usage = { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 };
const used = `data: ${JSON.stringify({ choices: [], usage })}\n\n`;
const answer = streams(`${chunk({ content: "From the model." })}${chunk({}, "stop")}${used}data: [DONE]\n\n`);

const question = "How much is the Birch chair?";

async function runPriced(limits: Record<string, unknown>, hasPrice = true) {
  const chat = await runChatServer(answer);
  const run = await runEngines();
  const price = { input: 2_000, output: 10_000, currency: "EUR" };
  await run.putChatModel("chat", chat.url, hasPrice ? { price } : {});
  const at = "2026-01-01T00:00:00Z";
  const prices = {
    ...{ document_id: "prices", title: "Prices", description: "", file: "/prices", created_at: at },
    ...{ updated_at: at, search_count: 0, ef_search: 0, processed: true, processed_v2: true },
  };
  await run.put("document", "prices", prices, { text: "The Birch chair costs 190 euros." });
  await run.configure({ ...run.demo.config, documents: ["prices"], limits });
  const fields = { capability: ["LLM"], prompt: run.demo.id, llm_type: "chat" };
  const newSession = () => run.session({ ...fields, extra_data: { context_id: "ctx_demo" } });
  const session = await newSession();
  return Object.assign(run, {
    ...{ chat, newSession, visit: session },
    said: async (by = session) => saidBy(await run.ask(by, question)),
    /** What is shown of the model's limit, once it is so. */
    expectLimit: (shown: object) =>
      expect
        .poll(async () => {
          const overview = await jsonOf<Overview>(run.get(`/api/console/overview/?context=${run.demo.id}`));
          return overview.limits.filter(({ kind }) => kind === "model_day");
        })
        .toMatchObject([shown]),
  });
}

test("the tokens of each answer are asked for and counted with their price", async () => {
  const run = await runPriced({ model_cost_per_day: 100 });
  await run.said();
  expect(run.chat.requests[0]?.body["stream_options"]).toEqual({ include_usage: true });
  await run.expectLimit({ used: 3, limit: 100, unit: "money", currency: "EUR" });
  await run.said();
  await run.expectLimit({ used: 6 });
});

test("a model without a price shows its tokens", async () => {
  const run = await runPriced({}, false);
  await run.said();
  await run.expectLimit({ used: 1_100, limit: null, unit: "tokens", currency: null });
});

test("beyond the day's cost answers quote the documents, until midnight", async () => {
  const run = await runPriced({ model_cost_per_day: 3 });
  expect(await run.said()).toBe("From the model.");
  await run.expectLimit({ used: 3 });
  expect(await run.said()).toContain("190 euros");
  expect(run.chat.requests).toHaveLength(1);
  run.pass(24 * 60 * 60);
  expect(await run.said(await run.newSession())).toBe("From the model.");
});

test("where the owner wants no answers beyond the day's cost, there are none", async () => {
  const run = await runPriced({ model_cost_per_day: 3, at_model_limit: "stop" });
  await run.said();
  await run.expectLimit({ used: 3 });
  const messages = [{ role: "user", content: question }];
  const refused = await run.send("POST", `/api/v1/session/${run.visit}/llm/v2/`, { messages });
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
});
