import { describe, expect, onTestFinished } from "vitest";
import type { Overview } from "../../../../src/protocol/console/overview.ts";
import type { Health, Retention } from "../../../../src/protocol/console/settings.ts";
import { EngineRecord } from "../../../../src/service/administration/engines/engine-record.ts";
import { createLanguageModels } from "../../../../src/service/language/create-language-models.ts";
import type { Turn } from "../../../../src/service/language/language-model.ts";
import { createOutboundCalls } from "../../../../src/service/outbound/outbound-calls.ts";
import { EngineError } from "../../../../src/service/language/streaming/engine-error.ts";
import { statusOf } from "../../answers.ts";
import {
  calling,
  runChatServer,
  saying,
  streams,
} from "../../language/engines/chat-completions/chat-server.ts";
import { oddMcpServer } from "../../language/mcp/odd-mcp-server.ts";
import { type RunningService, silentLog } from "../../service-fixture.ts";
import { jsonOf, owner, runConsole, test } from "./console-fixture.ts";
import { ask, askForEvents, newConversation } from "./visitor.ts";

const path = "/api/console/overview/";
const hourSec = 60 * 60;
const chair = "How much is the Birch chair?";

/** A conversation of a minute, from its beginning to its end. */
async function converse(run: RunningService, ...questions: string[]): Promise<void> {
  run.pass(2);
  const session = await newConversation(run);
  for (const question of questions) await ask(run, session, question);
  run.pass(60);
  await run.event(session, "SESSION_END");
  const conversation = () => run.store.conversations.byId(run.organizationId, session);
  await expect.poll(async () => (await conversation())?.endedAtMs).toBeGreaterThan(0);
}

const overview = async (run: RunningService, query = ""): Promise<Overview> =>
  jsonOf<Overview>((await owner(run)).get(`${path}${query}`));

test("the figures of 30 days: conversations, questions, those without an answer, and talking time", async ({
  run,
}) => {
  await converse(run, chair, "Is canary wool free of mulesing?");
  run.pass(24 * hourSec);
  await converse(run, chair);
  const { days, today, time_zone } = await overview(run);
  expect(days).toHaveLength(30);
  expect(days.at(-1)).toEqual(today);
  expect(today).toMatchObject({ conversations: 1, questions: 1, unanswered: 0, with_unanswered: 0 });
  expect(days.at(-2)).toMatchObject({ conversations: 1, questions: 2, unanswered: 1, with_unanswered: 1 });
  expect(today.talking_sec).toBeGreaterThanOrEqual(60);
  expect(time_zone).not.toBe("");
  expect((await overview(run, `?context=${run.demo.id}`)).today.conversations).toBe(1);
  expect(await statusOf((await owner(run)).get(`${path}?context=unknown`))).toBe(404);
});

test("conversations of the same time a week ago are compared, later ones of that day are not", async ({
  run,
}) => {
  run.pass(hourSec);
  await converse(run);
  run.pass(2 * hourSec);
  await converse(run);
  run.pass(7 * 24 * hourSec - hourSec);
  expect((await overview(run)).week_ago).toBe(1);
});

test("the first steps go away when a visitor of another site has talked to an avatar", async ({ run }) => {
  const firstRun = async () => (await overview(run)).first_run;
  expect(await firstRun()).toMatchObject({
    avatar: { done: false, context: run.demo.id, name: "Mara" },
    knowledge: { done: false, documents: 0 },
    page: { done: false, has_origin: false, arrived: null },
    has_model: false,
  });
  await converse(run);
  expect(await firstRun()).not.toBeNull();
  const page = { origin: "https://shop.example", allowed: true };
  await run.store.contextPages.note(run.demo.id, page, Date.UTC(2026, 0, 1, 1));
  expect(await firstRun()).toMatchObject({ page: { done: true } });
  run.pass(2 * hourSec);
  await converse(run);
  expect(await firstRun()).toBeNull();
});

test("an avatar is the owner's own when the owner has changed it, not when it got a recognizer or documents", async ({
  run,
}) => {
  const { store, demo, organizationId } = run;
  const ui = { ...demo.config.ui, avatar_name: "Robin" };
  for (const [changes, avatar] of [
    [{ stt_type: "pocketsphinx", documents: ["document"] }, { done: false }],
    [
      { stt_type: "pocketsphinx", ui },
      { done: true, name: "Robin" },
    ],
  ] as const) {
    const embed_config = { ...demo.config, ...changes };
    await store.contexts.replace(organizationId, demo.id, { ...demo, embed_config }, 2);
    expect((await overview(run)).first_run).toMatchObject({ avatar });
  }
});

test("an engine whose calls fail is a problem, with the time since when and what its server says", async () => {
  const says = "Incorrect API key provided: …";
  const languageModel = () => ({
    // oxlint-disable-next-line typescript/require-await -- models answer asynchronously
    async *answer({ onFault }: Turn) {
      onFault?.(EngineError.ofStatus(401, says));
      yield { status: "error" as const, reason: "Away." };
    },
  });
  const run = await runConsole({}, { languageModel });
  const session = await newConversation(run);
  for (const question of ["Hello?", "Is somebody there?"])
    expect((await askForEvents(run, session, question)).at(-1)).toMatchObject({ status: "error" });
  const { problems } = await overview(run);
  const failing = { code: "engine_failing", severity: "error", target: "visavis-retrieval" };
  const reason = `The language model is not available (status 401). Its server says: ${says}.`;
  const since = expect.stringMatching(/^2026-01-01T/) as string;
  expect(problems).toContainEqual(expect.objectContaining({ ...failing, reason, since }));
});

test("an engine that is missing and a month that is used up are problems with a remedy", async () => {
  const run = await runConsole({}, { synthesizer: () => null });
  await run.store.organizations.setQuotas(run.organizationId, { minutesPerMonth: 0 });
  const { problems, limits } = await overview(run);
  for (const problem of [
    { code: "engine_unavailable", severity: "error", target: run.demo.tts_type },
    { code: "limit_reached", page: "settings" },
  ])
    expect(problems).toContainEqual(expect.objectContaining(problem));
  const month = { kind: "talking_month", limit: 0, unit: "minutes" };
  expect(limits).toContainEqual(expect.objectContaining(month));
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
  const body = { name: "a", service: "onpremise" as const };
  const row = { id: "a", name: "a", isOperators: true, body };
  const languageModel = () => models.model({ ...row, engine: { base_url: chat.url, model: "m1" } });
  const run = await runConsole({}, { languageModel, outbound });
  const fields = { url: server.url, transport_protocol: "streamable_http", engine: { allow_private: true } };
  await jsonOf((await owner(run)).send("PUT", "/api/console/engines/tools/shop/", { fields }));
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
  const reason = expect.stringContaining("The shop is closed.") as string;
  expect(await failing()).toMatchObject([{ severity: "warning", page: "engines", reason }]);
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

describe("settings", () => {
  const quotas = "/api/console/quotas/";
  const retention = "/api/console/retention/";

  test("quotas are shown with what is used, and an owner changes them", async ({ run, browser }) => {
    await run.newSession();
    expect(await jsonOf(browser.get(quotas))).toMatchObject({ active_sessions: 1, month: "2026-01" });
    const changes = { max_active_sessions: 7, max_session_min: 30, max_month_min: null };
    expect(await jsonOf(browser.send("PUT", quotas, changes))).toMatchObject(changes);
    expect(await statusOf(browser.send("PUT", quotas, { max_active_sessions: -1 }))).toBe(400);
  });

  test("retention is set for all avatars at once, and counts what is kept", async ({ run, browser }) => {
    const set = (retention_days: number, more = {}) =>
      browser.send("PUT", retention, { retention_days, ...more });
    const { contexts, ...counts } = await jsonOf<Retention>(set(14));
    expect(contexts).toContainEqual({ id: run.demo.id, name: run.demo.name, retention_days: 14 });
    expect(counts).toMatchObject({ conversations: 0, conversations_with_words: 0 });
    await newConversation(run);
    const kept = async () => (await jsonOf<Retention>(browser.get(retention))).conversations_with_words;
    await expect.poll(kept).toBe(1);
    const gone = await jsonOf<Retention>(set(0));
    expect(new Set(gone.contexts.map((context) => context.retention_days))).toEqual(new Set([0]));
    expect(await statusOf(set(1, { contexts: ["unknown"] }))).toBe(404);
  });

  test("health names the version, the database, media processes, the disk and the metrics", async ({
    browser,
  }) => {
    const health = await jsonOf<Health>(browser.get("/api/console/health/"));
    expect(health).toMatchObject({
      server: { version: "1.2.3", node: process.versions.node },
      database: { is_working: true, kind: "embedded" },
      media: { running: 1, wanted: 1, sessions: 0 },
      metrics_url: "https://relay.example/metrics",
    });
    expect(health.disk?.total_bytes).toBeGreaterThan(0);
  });
});
