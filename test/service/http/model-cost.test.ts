import { expect, test } from "vitest";
import type { Overview } from "../../../src/protocol/console/overview.ts";
import { runEngines, saidBy, type RunningEngines } from "../engines-fixture.ts";
import { chunk, runChatServer, streams } from "../language/engines/chat-completions/chat-server.ts";

const price = { input: 2_000, output: 10_000, currency: "EUR" };

/** An answer with its use: 1,000 tokens in, 100 out. */
const used = `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 } })}\n\n`;
const answer = streams(`${chunk({ content: "From the model." })}${chunk({}, "stop")}${used}data: [DONE]\n\n`);

async function runPriced(limits: Record<string, unknown>, given: typeof price | null = price) {
  const chat = await runChatServer(answer);
  const run = await runEngines();
  const engine = { base_url: chat.url, model: "m1", api_key: "sk-secret", ...(given && { price: given }) };
  await run.put("llm_type", "chat", { name: "chat", service: "onpremise" }, engine);
  const times = { created_at: "2026-01-01T00:00:00Z", updated_at: "2026-01-01T00:00:00Z" };
  const counts = { search_count: 0, ef_search: 0, processed: true, processed_v2: true };
  const prices = {
    document_id: "prices",
    title: "Prices",
    description: "",
    file: "/prices",
    ...times,
    ...counts,
  };
  await run.put("document", "prices", prices, { text: "The Birch chair costs 190 euros." });
  await run.store.contexts.replace(
    run.organizationId,
    run.demo.id,
    { ...run.demo, embed_config: { ...run.demo.config, documents: ["prices"], limits } },
    1,
  );
  const session = await run.session({
    capability: ["LLM"],
    prompt: run.demo.id,
    llm_type: "chat",
    extra_data: { context_id: "ctx_demo" },
  });
  return { run, chat, session };
}

const question = "How much is the Birch chair?";

async function modelLimit(run: RunningEngines) {
  const response = await run.get(`/api/console/overview/?context=${run.demo.id}`);
  const { limits } = (await response.json()) as Overview;
  return limits.filter(({ kind }) => kind === "model_day");
}

test("the tokens of each answer are asked for and counted with their price", async () => {
  const { run, chat, session } = await runPriced({ model_cost_per_day: 100 });
  await run.ask(session, question);
  expect(chat.requests[0]?.body["stream_options"]).toEqual({ include_usage: true });
  await expect
    .poll(() => modelLimit(run))
    .toMatchObject([{ used: 3, limit: 100, unit: "money", currency: "EUR" }]);
  await run.ask(session, question);
  await expect.poll(() => modelLimit(run)).toMatchObject([{ used: 6 }]);
});

test("a model without a price shows its tokens", async () => {
  const { run, session } = await runPriced({}, null);
  await run.ask(session, question);
  await expect
    .poll(() => modelLimit(run))
    .toMatchObject([{ used: 1_100, limit: null, unit: "tokens", currency: null }]);
});

test("beyond the day's cost answers quote the documents, until midnight", async () => {
  const { run, chat, session } = await runPriced({ model_cost_per_day: 3 });
  expect(saidBy(await run.ask(session, question))).toBe("From the model.");
  await expect.poll(() => modelLimit(run)).toMatchObject([{ used: 3 }]);
  expect(saidBy(await run.ask(session, question))).toContain("190 euros");
  expect(chat.requests).toHaveLength(1);
  run.pass(24 * 60 * 60);
  const next = await run.session({
    capability: ["LLM"],
    prompt: run.demo.id,
    llm_type: "chat",
    extra_data: { context_id: "ctx_demo" },
  });
  expect(saidBy(await run.ask(next, question))).toBe("From the model.");
});

test("where the owner wants no answers beyond the day's cost, there are none", async () => {
  const { run, session } = await runPriced({ model_cost_per_day: 3, at_model_limit: "stop" });
  await run.ask(session, question);
  await expect.poll(() => modelLimit(run)).toMatchObject([{ used: 3 }]);
  const messages = [{ role: "user", content: question }];
  const refused = await run.send("POST", `/api/v1/session/${session}/llm/v2/`, { messages });
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
});
