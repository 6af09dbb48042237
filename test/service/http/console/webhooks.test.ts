/** What owners are told by webhooks, to whom, how often, and what stays of it. */
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Webhook, WebhookDelivery, WebhookEvent } from "../../../../src/protocol/console/webhooks.ts";
import { webhookEvents } from "../../../../src/protocol/console/webhooks.ts";
import type { Overview } from "../../../../src/protocol/console/overview.ts";
import type { AuditEntry } from "../../../../src/protocol/console/audit.ts";
import { createOutboundCalls } from "../../../../src/service/outbound/outbound-calls.ts";
import { errorsOf, statusOf } from "../../answers.ts";
import { temporaryFolder, type RunningService } from "../../service-fixture.ts";
import { type Browser, jsonOf, owner, runConsole } from "./console-fixture.ts";
import { ask, askForEvents, keepWords, newConversation, rate } from "./visitor.ts";
import { receiveWebhooks, type Received } from "./webhook-receiver.ts";

const list = "/api/console/webhooks/";
const unknown = "Do you sell canary pianos in Croatia?";
const unansweredOnly = { events: ["question.unanswered"] };

type Overrides = Parameters<typeof runConsole>[1];

async function start(overrides: Overrides = {}): Promise<RunningService> {
  const run = await runConsole({}, overrides);
  onTestFinished(() => run.service.stop());
  return run;
}

async function add(browser: Browser, address: string, fields: object = {}) {
  const body = { address, events: webhookEvents, ...fields };
  return jsonOf<Webhook & { secret: string }>(browser.send("POST", list, body));
}

const logOf = (browser: Browser, { id }: Pick<Webhook, "id">): Promise<WebhookDelivery[]> =>
  jsonOf<WebhookDelivery[]>(browser.get(`${list}${id}/deliveries/`));

const tryOut = (browser: Browser, { id }: Pick<Webhook, "id">): Promise<WebhookDelivery> =>
  jsonOf<WebhookDelivery>(browser.send("POST", `${list}${id}/test/`));

/** A visitor whose question finds nothing. */
async function askInVain(run: RunningService): Promise<string> {
  const session = await newConversation(run);
  await askForEvents(run, session, unknown);
  return session;
}

/** A service whose owner is told of events by a receiver. */
async function telling(fields: object = {}, overrides: Overrides = {}) {
  const run = await start(overrides);
  const browser = await owner(run);
  const receiver = await receiveWebhooks();
  const webhook = await add(browser, `${receiver.origin}/hook`, fields);
  receiver.secret = webhook.secret;
  return {
    ...{ run, browser, receiver, webhook, received: receiver.received },
    log: () => logOf(browser, webhook),
    state: async () => (await jsonOf<Webhook[]>(browser.get(list)))[0]?.state,
    tryOut: () => tryOut(browser, webhook),
    /** The receiver answers with this status; the first time, or the one that `but` says, with another. */
    answersWith: (usual: number, but: Record<number, number> = {}) => {
      receiver.answer = (_request, response, count) => response.writeHead(but[count] ?? usual).end();
    },
    /** The last delivery when its first attempt is over. */
    attempted: () =>
      vi.waitFor(async () => {
        const [last] = await logOf(browser, webhook);
        expect(last?.attempted_at).toEqual(expect.any(String));
        return last!;
      }),
    told: (type: WebhookEvent): Promise<Received> =>
      vi.waitFor(() => {
        const found = receiver.received.find((one) => one.type === type);
        expect(found, type).toBeDefined();
        return found!;
      }),
    stored: async (id: string) => run.store.webhooks.delivery(webhook.id, id),
  };
}

describe("an owner is told", () => {
  test("of what happens in conversations, by signed requests without a word of the visitor", async () => {
    const { run, browser, receiver, received, told } = await telling();
    await keepWords(run, 30);
    await browser.send("PUT", "/api/console/live/presence/", { minutes: 60, name: "Lena" });
    const session = await askInVain(run);
    const figures = { id: session, questions: 1, unanswered: 1 };
    expect((await told("question.unanswered")).data).toMatchObject({
      cause: "no_answer",
      conversation: { ...figures, ended_at: null, duration_sec: null },
    });
    await rate(run, session, { of: "answer", value: "down", why: "No canary at all" });
    expect((await told("rating.down")).data).toMatchObject({ of: "answer" });
    await run.send("POST", `/api/v1/session/${session}/person/`, { wanted: true });
    await told("person.asked");
    run.pass(42);
    await run.event(session, "SESSION_DURING");
    await run.event(session, "SESSION_END");
    const ended = await told("conversation.ended");
    const ended_at = new Date(run.nowMs()).toISOString();
    expect(ended.data).toEqual({
      conversation: {
        ...{ ...figures, ended_at, duration_sec: 42, end_reason: "GRACEFUL_TERMINATION" },
        url: `https://relay.example/console/#/conversations/${session}`,
        avatar: { id: run.demo.id, name: expect.any(String) as string },
        started_at: expect.any(String) as string,
      },
    });
    expect([ended.timestamp, ended.timestampSec]).toEqual([ended_at, Math.floor(run.nowMs() / 1000)]);
    expect([received.length, receiver.unsigned]).toEqual([4, 0]);
    expect(new Set(received.map(({ id }) => id)).size).toBe(4);
    expect(JSON.stringify(received)).not.toMatch(/canary/i);
  });

  test("in the visitor's words if the owner wants them and the avatar keeps them", async () => {
    const { run, received, told } = await telling({ with_words: true });
    const wordsOf = async (type: WebhookEvent) => (await told(type)).data["words"];
    const unkept = await askInVain(run);
    expect(await wordsOf("question.unanswered")).toBeUndefined();
    await run.event(unkept, "SESSION_END");
    await told("conversation.ended");
    received.length = 0;
    await keepWords(run, 30);
    const session = await askInVain(run);
    expect(await wordsOf("question.unanswered")).toEqual({ question: unknown });
    await rate(run, session, { of: "conversation", value: "down", why: "No pianos" });
    expect(await wordsOf("rating.down")).toEqual({ why: "No pianos" });
    await run.event(session, "SESSION_END");
    const transcript = [{ role: "visitor", text: unknown }, { role: "avatar" }];
    expect(await wordsOf("conversation.ended")).toMatchObject({ transcript });
  });

  test("only of the events that were chosen, and never of what is tried in the console", async () => {
    const { run, browser, log, told } = await telling({ events: ["conversation.ended"] });
    const settings = { name: "Tried", tts_type: "visavis-slt", model_style: "mina", embed_config: {} };
    const preview = browser.send("PUT", `/api/console/contexts/${run.demo.id}/preview/`, { settings });
    const { context_id } = await jsonOf<{ context_id: string }>(preview);
    const tried = await run.newSession({ prompt: undefined, extra_data: { context_id } });
    for (const event of ["SESSION_START", "SESSION_END"]) await run.event(tried, event);
    await run.event(await askInVain(run), "SESSION_END");
    await told("conversation.ended");
    expect(await log()).toMatchObject([{ type: "conversation.ended", state: "delivered" }]);
  });

  test("of at most 20 events of a kind in one conversation, whatever a visitor's program sends", async () => {
    const { run, log } = await telling();
    const session = await newConversation(run);
    await ask(run, session, "What does the Birch chair cost?");
    for (let count = 0; count < 25; count++)
      await rate(run, session, { of: "answer", value: "down", why: `${count}` });
    await run.service.sendWebhooks();
    expect(await log()).toHaveLength(20);
  });
});

describe("a delivery that fails", () => {
  test("is repeated with the same id after growing pauses for a day, and then given up", async () => {
    const { run, received, answersWith, attempted, stored } = await telling(unansweredOnly);
    answersWith(500);
    await askInVain(run);
    const { id } = await attempted();
    const pauses: number[] = [];
    let last = (await stored(id))!;
    while (last.nextAtMs !== null) {
      const pauseSec = (last.nextAtMs - run.nowMs()) / 1000;
      pauses.push(pauseSec);
      run.pass(pauseSec - 1);
      await run.service.sendWebhooks();
      expect(received).toHaveLength(pauses.length);
      run.pass(1);
      await run.service.sendWebhooks();
      last = (await stored(id))!;
    }
    expect(last).toMatchObject({ state: "failed", attempts: 9, status: 500, problem: "refused" });
    expect(pauses).toEqual(pauses.toSorted((one, other) => one - other));
    const hours = pauses.reduce((sum, pause) => sum + pause, 0) / 3600;
    expect(hours).toBeGreaterThan(23);
    expect(hours).toBeLessThanOrEqual(24);
    const sent = received.map(({ timestampSec: _each, ...rest }) => rest);
    expect(sent).toEqual(sent.map(() => ({ ...sent[0], id })));
  });

  test("goes on where it was after a restart", async () => {
    const folder = temporaryFolder();
    const { run, received, webhook, answersWith, attempted } = await telling(unansweredOnly, { folder });
    answersWith(200, { 0: 503 });
    await askInVain(run);
    expect(await attempted()).toMatchObject({ state: "waiting", attempts: 1, status: 503 });
    await run.service.stop();
    const next = await start({ folder, startMs: run.nowMs() + 6_000 });
    await next.service.sendWebhooks();
    const [first, second] = received;
    expect([received.length, second!.id]).toEqual([2, first!.id]);
    expect(second!.timestampSec - first!.timestampSec).toBe(6);
    expect(await logOf(await owner(next), webhook)).toMatchObject([{ state: "delivered", attempts: 2 }]);
  });

  test("is left to the next process by a service that stops while it waits for the answer", async () => {
    const folder = temporaryFolder();
    const { run, receiver, received, webhook } = await telling(unansweredOnly, { folder });
    receiver.answer = (_request, response, count) => count > 0 && response.end();
    await askInVain(run);
    await vi.waitUntil(() => received.length === 1);
    await run.service.stop();
    const next = await start({ folder, startMs: run.nowMs() });
    await next.service.sendWebhooks();
    expect(await logOf(await owner(next), webhook)).toMatchObject([{ state: "delivered", attempts: 1 }]);
  });

  test.each([
    ["is redirected", "redirected", undefined],
    ["goes to a server that is not there", "unreachable", "http://127.0.0.1:9/"],
  ])("because it %s says so", async (_what, problem, address) => {
    const browser = await owner(await start());
    const receiver = await receiveWebhooks();
    receiver.answer = (_request, response) => response.writeHead(307, { location: "/elsewhere" }).end();
    const delivery = await tryOut(browser, await add(browser, address ?? `${receiver.origin}/redirect`));
    expect(delivery).toMatchObject({ state: "failed", status: null, problem, next_at: null });
    expect(receiver.paths).not.toContain("POST /elsewhere");
  });

  test("does not hold up what goes to another webhook, nor the conversation", async () => {
    const { run, browser, receiver, received, log } = await telling(unansweredOnly);
    receiver.answer = () => undefined;
    const other = await receiveWebhooks();
    other.secret = (await add(browser, other.origin)).secret;
    for (let count = 0; count < 6; count++) await askInVain(run);
    await vi.waitUntil(() => other.received.length === 6);
    expect(received.length).toBeLessThanOrEqual(1);
    expect((await log()).map(({ state }) => state)).toContain("waiting");
  });
});

test("an answer without an end is not read", async () => {
  const { receiver, tryOut: send } = await telling();
  let isClosed = false;
  receiver.answer = (_request, response) => {
    response.writeHead(200);
    const more = (): void => {
      if (!isClosed && response.write("x".repeat(65_536))) setImmediate(more);
    };
    response.on("drain", more);
    response.on("close", () => (isClosed = true));
    more();
  };
  const delivered = { type: "webhook.test", state: "delivered", status: 200, attempts: 1 };
  expect(await send()).toMatchObject(delivered);
  await vi.waitUntil(() => isClosed);
});

describe("a webhook is turned off", () => {
  test("by a receiver that is gone (410), until the owner turns it on again", async () => {
    const { run, browser, receiver, received, webhook, ...hook } = await telling(unansweredOnly);
    hook.answersWith(410);
    await askInVain(run);
    expect(await hook.attempted()).toMatchObject({ state: "failed", problem: "gone", status: 410 });
    expect(await hook.state()).toBe("gone");
    const { problems } = await jsonOf<Overview>(browser.get("/api/console/overview/"));
    const off = { code: "webhook_off", page: "settings", target: new URL(receiver.origin).host };
    expect(problems).toContainEqual(expect.objectContaining(off));
    await askInVain(run);
    await run.service.sendWebhooks();
    expect(received).toHaveLength(1);
    hook.answersWith(200);
    expect(await jsonOf(browser.send("POST", `${list}${webhook.id}/on/`))).toMatchObject({ state: "on" });
    await askInVain(run);
    await vi.waitUntil(() => received.length === 2);
  });

  test("after 100 failures in a row, and one success ends the row", async () => {
    const { run, answersWith, state, tryOut: send } = await telling(unansweredOnly);
    answersWith(400, { 50: 200 });
    for (let count = 0; count < 150; count++) await send();
    expect(await state()).toBe("on");
    await send();
    expect(await state()).toBe("off");
    expect(run.lines).toContainEqual(expect.objectContaining({ message: "a webhook was turned off" }));
    answersWith(200);
    expect(await send()).toMatchObject({ state: "delivered" });
    expect(await state()).toBe("off");
  });
});

test("a delivery is sent again by hand, with the same id", async () => {
  const { run, browser, received, webhook, attempted } = await telling(unansweredOnly);
  await askInVain(run);
  const { id } = await attempted();
  run.pass(60);
  const again = jsonOf(browser.send("POST", `${list}${webhook.id}/deliveries/${id}/send/`));
  expect(await again).toMatchObject({ id, state: "delivered", attempts: 1 });
  expect(received.map((one) => one.id)).toEqual([id, id]);
  expect(received[1]!.timestampSec - received[0]!.timestampSec).toBe(60);
});

test("the log ends after 7 days, and words go with those of their conversation", async () => {
  const { run, attempted, stored } = await telling({ with_words: true, ...unansweredOnly });
  await keepWords(run, 3);
  const session = await askInVain(run);
  const { id } = await attempted();
  expect((await stored(id))?.words).toEqual({ question: unknown });
  await run.event(session, "SESSION_END");
  run.pass(3 * 86_400 + 60);
  await run.service.removeExpired();
  expect(await stored(id)).toMatchObject({ words: null });
  run.pass(4 * 86_400);
  await run.service.removeExpired();
  expect(await stored(id)).toBeNull();
});

describe("a webhook", () => {
  test("shows its secret once, and its log is gone with it", async () => {
    const { browser, webhook } = await telling();
    expect(webhook.secret).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(JSON.stringify(await jsonOf(browser.get(list)))).not.toContain("whsec_");
    expect(await statusOf(browser.send("DELETE", `${list}${webhook.id}/`))).toBe(204);
    expect(await statusOf(browser.get(`${list}${webhook.id}/deliveries/`))).toBe(404);
    const audit = await jsonOf<AuditEntry[]>(browser.get("/api/console/audit-log/"));
    const made = audit.find(({ operation }) => operation === "addWebhook");
    expect(made?.target?.name).toMatch(/^127\.0\.0\.1:\d+$/);
  });

  test.each([
    ["ftp://hooks.example/", "https"],
    ["https://user:word@hooks.example/", "user name"],
    ["http://169.254.169.254/", "No server may be called"],
    ["nothing", "https"],
  ])("is not added at %s", async (address, reason) => {
    const browser = await owner(await start());
    const refused = await browser.send("POST", list, { address, events: ["person.asked"] });
    expect(refused.status).toBe(400);
    const detail = expect.stringContaining(reason) as string;
    expect(await errorsOf(refused)).toMatchObject([{ attr: "address", detail }]);
  });

  test("whose name leads into a private network is not called", async () => {
    const resolve = () => Promise.resolve([{ address: "127.0.0.1", family: 4 }]);
    const browser = await owner(
      await start({ outbound: createOutboundCalls({ allowPrivate: false, resolve }) }),
    );
    const receiver = await receiveWebhooks();
    const webhook = await add(browser, `https://hooks.example:${new URL(receiver.origin).port}/`);
    expect(await tryOut(browser, webhook)).toMatchObject({ state: "failed", problem: "forbidden" });
    expect(receiver.paths).toEqual([]);
  });
});
