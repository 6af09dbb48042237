import { expect, onTestFinished, test } from "vitest";
import type { Overview } from "../../../../src/protocol/console/overview.ts";
import { EngineRecord } from "../../../../src/service/administration/engines/engine-record.ts";
import { createLanguageModels } from "../../../../src/service/language/create-language-models.ts";
import type { LanguageModel, Turn } from "../../../../src/service/language/language-model.ts";
import { createOutboundCalls } from "../../../../src/service/outbound/outbound-calls.ts";
import {
  calling,
  runChatServer,
  saying,
  streams,
} from "../../language/engines/chat-completions/chat-server.ts";
import { oddMcpServer } from "../../language/mcp/odd-mcp-server.ts";
import { EngineError } from "../../../../src/service/language/streaming/engine-error.ts";
import { type RunningService, silentLog } from "../../service-fixture.ts";
import { jsonOf, owner, runConsole } from "./console-fixture.ts";
import { ask, askForEvents, newConversation } from "./visitor.ts";

const path = "/api/console/overview/";

async function converse(run: RunningService, ...questions: string[]): Promise<void> {
  const session = await run.newSession({ extra_data: { context_id: "ctx_demo" } });
  run.pass(2);
  await run.event(session, "SESSION_START");
  for (const question of questions) await ask(run, session, question);
  run.pass(60);
  await run.event(session, "SESSION_END");
  await expect
    .poll(async () => (await run.store.conversations.byId(run.organizationId, session))?.endedAtMs)
    .toBeGreaterThan(0);
}

const overview = async (run: RunningService, query = ""): Promise<Overview> =>
  jsonOf<Overview>((await owner(run)).get(`${path}${query}`));

test("the figures of 30 days: conversations, questions, those without an answer, and talking time", async () => {
  const run = await runConsole();
  await converse(run, "How much is the Birch chair?", "Is canary wool free of mulesing?");
  run.pass(24 * 60 * 60);
  await converse(run, "How much is the Birch chair?");
  const { days, today, time_zone } = await overview(run);
  expect(days).toHaveLength(30);
  expect(days.at(-1)).toEqual(today);
  expect(today).toMatchObject({ conversations: 1, questions: 1, unanswered: 0, with_unanswered: 0 });
  expect(days.at(-2)).toMatchObject({ conversations: 1, questions: 2, unanswered: 1, with_unanswered: 1 });
  expect(today.talking_sec).toBeGreaterThanOrEqual(60);
  expect(time_zone).not.toBe("");
  const other = await overview(run, `?context=${run.demo.id}`);
  expect(other.today.conversations).toBe(1);
  expect((await (await owner(run)).get(`${path}?context=unknown`)).status).toBe(404);
});

test("conversations of the same time a week ago are compared, later ones of that day are not", async () => {
  const run = await runConsole();
  run.pass(60 * 60);
  await converse(run);
  run.pass(2 * 60 * 60);
  await converse(run);
  run.pass(7 * 24 * 60 * 60 - 60 * 60);
  expect((await overview(run)).week_ago).toBe(1);
});

test("the first steps go away when a visitor of another site has talked to an avatar", async () => {
  const run = await runConsole();
  expect((await overview(run)).first_run).toMatchObject({
    avatar: { done: false, context: run.demo.id, name: "Mara" },
    knowledge: { done: false, documents: 0 },
    page: { done: false, has_origin: false, arrived: null },
    has_model: false,
  });
  await converse(run);
  expect((await overview(run)).first_run).not.toBeNull();
  await run.store.contextPages.note(
    run.demo.id,
    { origin: "https://shop.example", allowed: true },
    Date.UTC(2026, 0, 1, 1),
  );
  expect((await overview(run)).first_run).toMatchObject({ page: { done: true } });
  run.pass(2 * 60 * 60);
  await converse(run);
  expect((await overview(run)).first_run).toBeNull();
});

test("an avatar is the owner's own when the owner has changed it, not when it got a recognizer or documents", async () => {
  const run = await runConsole();
  const { store, demo, organizationId } = run;
  const save = async (embed_config: typeof demo.config): Promise<void> => {
    await store.contexts.replace(organizationId, demo.id, { ...demo, embed_config }, 2);
  };
  await save({ ...demo.config, stt_type: "pocketsphinx", documents: ["document"] });
  expect((await overview(run)).first_run).toMatchObject({ avatar: { done: false } });
  const ui = { ...demo.config.ui, avatar_name: "Robin" };
  await save({ ...demo.config, ui, stt_type: "pocketsphinx" });
  expect((await overview(run)).first_run).toMatchObject({ avatar: { done: true, name: "Robin" } });
});

test("an engine whose calls fail is a problem, with the time since when and what its server says", async () => {
  const away = { status: "error" as const, reason: "Away." };
  const languageModel = () => ({
    // oxlint-disable-next-line typescript/require-await -- models answer asynchronously
    async *answer({ onFault }: Turn) {
      onFault?.(EngineError.ofStatus(401, "Incorrect API key provided: …"));
      yield away;
    },
  });
  const run = await runConsole({}, { languageModel });
  const session = await newConversation(run);
  for (const question of ["Hello?", "Is somebody there?"])
    expect((await askForEvents(run, session, question)).at(-1)).toMatchObject({ status: "error" });
  const { problems } = await overview(run);
  expect(problems).toContainEqual(
    expect.objectContaining({
      code: "engine_failing",
      severity: "error",
      target: "visavis-retrieval",
      reason:
        "The language model is not available (status 401). Its server says: Incorrect API key provided: ….",
      since: expect.stringMatching(/^2026-01-01T/) as string,
    }),
  );
});

test("an engine that is missing and a month that is used up are problems with a remedy", async () => {
  const run = await runConsole({}, { synthesizer: () => null });
  await run.store.organizations.setQuotas(run.organizationId, { minutesPerMonth: 0 });
  const { problems, limits } = await overview(run);
  expect(problems).toContainEqual(
    expect.objectContaining({ code: "engine_unavailable", severity: "error", target: run.demo.tts_type }),
  );
  expect(problems).toContainEqual(expect.objectContaining({ code: "limit_reached", page: "settings" }));
  expect(limits).toContainEqual(
    expect.objectContaining({ kind: "talking_month", limit: 0, unit: "minutes" }),
  );
});

test("a tool server that does not answer is a problem and an engine that fails, until it answers again", async () => {
  const outbound = createOutboundCalls({ allowPrivate: true });
  const models = createLanguageModels({ log: silentLog, outbound });
  onTestFinished(() => models.close());
  let isAway = false;
  const server = await oddMcpServer(({ method }) => {
    if (method === "tools/list") return { result: { tools: [{ name: "stock", inputSchema: {} }] } };
    if (method !== "tools/call") return undefined;
    return isAway ? { status: 503, body: "The shop is closed." } : { result: { content: [] } };
  });
  const answer = [streams(calling({ id: "c1", name: "stock", args: {} })), streams(saying("Done."))];
  const chat = await runChatServer(...[answer, answer, answer, answer].flat());
  const languageModel = (): LanguageModel | null =>
    models.model({
      ...{ id: "a", name: "a", isOperators: true, body: { name: "a", service: "onpremise" } },
      engine: { base_url: chat.url, model: "m1" },
    });
  const run = await runConsole({}, { languageModel, outbound });
  const browser = await owner(run);
  const fields = { url: server.url, transport_protocol: "streamable_http", engine: { allow_private: true } };
  await jsonOf(browser.send("PUT", "/api/console/engines/tools/shop/", { fields }));
  const embed_config = { ...run.demo.config, mcp_servers: ["shop"], mcp_tools: ["shop/stock"] };
  await run.store.contexts.replace(run.organizationId, run.demo.id, { ...run.demo, embed_config }, 2);
  const session = await run.newSession({ extra_data: { context_id: "ctx_demo" }, mcp_servers: ["shop"] });
  const failing = async () =>
    (await overview(run)).problems.filter(
      ({ code, target }) => code === "engine_failing" && target === "shop",
    );
  await ask(run, session, "Is the chair there?");
  expect(await failing()).toEqual([]);
  isAway = true;
  // Between the calls the server is connected to again and lists its tools, which does not end the failure.
  for (const question of ["And now?", "And now?"]) await ask(run, session, question);
  expect(await failing()).toMatchObject([
    {
      severity: "warning",
      page: "engines",
      reason: expect.stringContaining("The shop is closed.") as string,
    },
  ]);
  isAway = false;
  await ask(run, session, "And now?");
  expect(await failing()).toEqual([]);
});

test("a tool server that cannot be connected to is a problem only until it can", () => {
  const record = new EngineRecord();
  for (const second of [1, 2]) record.noteConnection("shop", false, second * 1_000, "Nothing answers.");
  expect(record.stateOf("shop")).toEqual({ isFailing: true, sinceMs: 1_000, reason: "Nothing answers." });
  record.noteConnection("shop", true, 3_000);
  expect(record.stateOf("shop")).toMatchObject({ isFailing: false });
});
