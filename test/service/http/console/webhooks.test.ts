/** What owners are told by webhooks, to whom, how often, and what stays of it. */
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Webhook, WebhookDelivery, WebhookEvent } from "../../../../src/protocol/console/webhooks.ts";
import { webhookEvents } from "../../../../src/protocol/console/webhooks.ts";
import type { Overview } from "../../../../src/protocol/console/overview.ts";
import type { AuditEntry } from "../../../../src/protocol/console/audit.ts";
import { createOutboundCalls } from "../../../../src/service/outbound/outbound-calls.ts";
import { temporaryFolder, type RunningService } from "../../service-fixture.ts";
import { type Browser, jsonOf, owner, runConsole } from "./console-fixture.ts";
import { ask, askForEvents, keepWords, newConversation, rate } from "./visitor.ts";
import { receiveWebhooks, type Received } from "./webhook-receiver.ts";

const list = "/api/console/webhooks/";
const unknown = "Do you sell canary pianos in Croatia?";

type Overrides = Parameters<typeof runConsole>[1];

async function run(overrides: Overrides = {}): Promise<RunningService> {
  const running = await runConsole({}, overrides);
  onTestFinished(() => running.service.stop());
  return running;
}

async function add(browser: Browser, address: string, fields: object = {}) {
  const body = { address, events: webhookEvents, ...fields };
  return jsonOf<Webhook & { secret: string }>(browser.send("POST", list, body));
}

/** A service whose owner is told of events by a receiver. */
async function telling(fields: object = {}, overrides: Overrides = {}) {
  const running = await run(overrides);
  const browser = await owner(running);
  const receiver = await receiveWebhooks();
  const webhook = await add(browser, `${receiver.origin}/hook`, fields);
  receiver.secret = webhook.secret;
  return { running, browser, receiver, webhook };
}

const logOf = (browser: Browser, { id }: Pick<Webhook, "id">): Promise<WebhookDelivery[]> =>
  jsonOf<WebhookDelivery[]>(browser.get(`${list}${id}/deliveries/`));

const stateOf = async (browser: Browser): Promise<Webhook["state"] | undefined> =>
  (await jsonOf<Webhook[]>(browser.get(list)))[0]?.state;

/** The last delivery when its first attempt is over. */
const attempted = (browser: Browser, webhook: Webhook): Promise<WebhookDelivery> =>
  vi.waitFor(async () => {
    const [last] = await logOf(browser, webhook);
    expect(last?.attempted_at).toEqual(expect.any(String));
    return last!;
  });

const told = (received: readonly Received[], type: WebhookEvent): Promise<Received> =>
  vi.waitFor(() => {
    const found = received.find((one) => one.type === type);
    expect(found, type).toBeDefined();
    return found!;
  });

/** A visitor whose question finds nothing. */
async function askInVain(running: RunningService): Promise<string> {
  const session = await newConversation(running);
  await askForEvents(running, session, unknown);
  return session;
}

describe("an owner is told", () => {
  test("of what happens in conversations, by signed requests without a word of the visitor", async () => {
    const { running, browser, receiver } = await telling();
    await keepWords(running, 30);
    await browser.send("PUT", "/api/console/live/presence/", { minutes: 60, name: "Lena" });
    const session = await askInVain(running);
    expect((await told(receiver.received, "question.unanswered")).data).toMatchObject({
      cause: "no_answer",
      conversation: { id: session, ended_at: null, duration_sec: null, questions: 1, unanswered: 1 },
    });
    await rate(running, session, { of: "answer", value: "down", why: "No canary at all" });
    expect((await told(receiver.received, "rating.down")).data).toMatchObject({ of: "answer" });
    await running.send("POST", `/api/v1/session/${session}/person/`, { wanted: true });
    await told(receiver.received, "person.asked");
    running.pass(42);
    await running.event(session, "SESSION_DURING");
    await running.event(session, "SESSION_END");
    const ended = await told(receiver.received, "conversation.ended");
    expect(ended.data).toEqual({
      conversation: {
        id: session,
        url: `https://relay.example/console/#/conversations/${session}`,
        avatar: { id: running.demo.id, name: expect.any(String) as string },
        started_at: expect.any(String) as string,
        ended_at: new Date(running.nowMs()).toISOString(),
        duration_sec: 42,
        end_reason: "GRACEFUL_TERMINATION",
        questions: 1,
        unanswered: 1,
      },
    });
    expect(ended.timestamp).toBe(new Date(running.nowMs()).toISOString());
    expect(ended.timestampSec).toBe(Math.floor(running.nowMs() / 1000));
    expect(receiver.received).toHaveLength(4);
    expect(receiver.unsigned).toBe(0);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(4);
    expect(JSON.stringify(receiver.received)).not.toMatch(/canary/i);
  });

  test("in the visitor's words if the owner wants them and the avatar keeps them", async () => {
    const { running, receiver } = await telling({ with_words: true });
    const unkept = await askInVain(running);
    expect((await told(receiver.received, "question.unanswered")).data["words"]).toBeUndefined();
    await running.event(unkept, "SESSION_END");
    await told(receiver.received, "conversation.ended");
    receiver.received.length = 0;
    await keepWords(running, 30);
    const session = await askInVain(running);
    expect((await told(receiver.received, "question.unanswered")).data["words"]).toEqual({
      question: unknown,
    });
    await rate(running, session, { of: "conversation", value: "down", why: "No pianos" });
    expect((await told(receiver.received, "rating.down")).data["words"]).toEqual({ why: "No pianos" });
    await running.event(session, "SESSION_END");
    expect((await told(receiver.received, "conversation.ended")).data["words"]).toMatchObject({
      transcript: [{ role: "visitor", text: unknown }, { role: "avatar" }],
    });
  });

  test("only of the events that were chosen, and never of what is tried in the console", async () => {
    const { running, browser, receiver, webhook } = await telling({ events: ["conversation.ended"] });
    const settings = { name: "Tried", tts_type: "visavis-slt", model_style: "mina", embed_config: {} };
    const path = `/api/console/contexts/${running.demo.id}/preview/`;
    const { context_id: key } = await jsonOf<{ context_id: string }>(browser.send("PUT", path, { settings }));
    const tried = await running.newSession({ prompt: undefined, extra_data: { context_id: key } });
    await running.event(tried, "SESSION_START");
    await running.event(tried, "SESSION_END");
    const session = await askInVain(running);
    await running.event(session, "SESSION_END");
    await told(receiver.received, "conversation.ended");
    expect(await logOf(browser, webhook)).toMatchObject([{ type: "conversation.ended", state: "delivered" }]);
  });

  test("of at most 20 events of a kind in one conversation, whatever a visitor's program sends", async () => {
    const { running, browser, webhook } = await telling();
    const session = await newConversation(running);
    await ask(running, session, "What does the Birch chair cost?");
    for (let count = 0; count < 25; count++)
      await rate(running, session, { of: "answer", value: "down", why: `${count}` });
    await running.service.sendWebhooks();
    expect(await logOf(browser, webhook)).toHaveLength(20);
  });
});

describe("a delivery that fails", () => {
  test("is repeated with the same id after growing pauses for a day, and then given up", async () => {
    const { running, browser, receiver, webhook } = await telling({ events: ["question.unanswered"] });
    receiver.answer = (_request, response) => response.writeHead(500).end();
    await askInVain(running);
    const { id } = await attempted(browser, webhook);
    const stored = async () => (await running.store.webhooks.delivery(webhook.id, id))!;
    const pauses: number[] = [];
    let last = await stored();
    while (last.nextAtMs !== null) {
      const pauseSec = (last.nextAtMs - running.nowMs()) / 1000;
      pauses.push(pauseSec);
      running.pass(pauseSec - 1);
      await running.service.sendWebhooks();
      expect(receiver.received).toHaveLength(pauses.length);
      running.pass(1);
      await running.service.sendWebhooks();
      last = await stored();
    }
    expect(last).toMatchObject({ state: "failed", attempts: 9, status: 500, problem: "refused" });
    expect(pauses).toEqual(pauses.toSorted((one, other) => one - other));
    const hours = pauses.reduce((sum, pause) => sum + pause, 0) / 3600;
    expect(hours).toBeGreaterThan(23);
    expect(hours).toBeLessThanOrEqual(24);
    const sent = receiver.received.map(({ timestampSec: _each, ...rest }) => rest);
    expect(sent).toEqual(sent.map(() => ({ ...sent[0], id })));
  });

  test("goes on where it was after a restart", async () => {
    const folder = temporaryFolder();
    const { running, browser, receiver, webhook } = await telling(
      { events: ["question.unanswered"] },
      { folder },
    );
    receiver.answer = (_request, response, count) => response.writeHead(count === 0 ? 503 : 200).end();
    await askInVain(running);
    expect(await attempted(browser, webhook)).toMatchObject({ state: "waiting", attempts: 1, status: 503 });
    await running.service.stop();
    const next = await run({ folder, startMs: running.nowMs() + 6_000 });
    await next.service.sendWebhooks();
    expect(receiver.received).toHaveLength(2);
    expect(receiver.received[1]!.id).toBe(receiver.received[0]!.id);
    expect(receiver.received[1]!.timestampSec - receiver.received[0]!.timestampSec).toBe(6);
    expect(await logOf(await owner(next), webhook)).toMatchObject([{ state: "delivered", attempts: 2 }]);
  });

  test("is left to the next process by a service that stops while it waits for the answer", async () => {
    const folder = temporaryFolder();
    const { running, receiver, webhook } = await telling({ events: ["question.unanswered"] }, { folder });
    receiver.answer = (_request, response, count) => {
      if (count > 0) response.end();
    };
    await askInVain(running);
    await vi.waitUntil(() => receiver.received.length === 1);
    await running.service.stop();
    const next = await run({ folder, startMs: running.nowMs() });
    await next.service.sendWebhooks();
    expect(await logOf(await owner(next), webhook)).toMatchObject([{ state: "delivered", attempts: 1 }]);
  });

  test.each([
    ["is redirected", "redirected", (origin: string) => `${origin}/redirect`],
    ["goes to a server that is not there", "unreachable", () => "http://127.0.0.1:9/"],
  ])("because it %s says so", async (_what, problem, addressOf) => {
    const running = await run();
    const browser = await owner(running);
    const receiver = await receiveWebhooks();
    receiver.answer = (_request, response) => response.writeHead(307, { location: "/elsewhere" }).end();
    const { id } = await add(browser, addressOf(receiver.origin));
    const delivery = await jsonOf<WebhookDelivery>(browser.send("POST", `${list}${id}/test/`));
    expect(delivery).toMatchObject({ state: "failed", status: null, problem, next_at: null });
    expect(receiver.paths).not.toContain("POST /elsewhere");
  });

  test("does not hold up what goes to another webhook, nor the conversation", async () => {
    const { running, browser, receiver, webhook } = await telling({ events: ["question.unanswered"] });
    receiver.answer = () => undefined;
    const other = await receiveWebhooks();
    other.secret = (await add(browser, other.origin)).secret;
    for (let count = 0; count < 6; count++) await askInVain(running);
    await vi.waitUntil(() => other.received.length === 6);
    expect(receiver.received.length).toBeLessThanOrEqual(1);
    expect((await logOf(browser, webhook)).map(({ state }) => state)).toContain("waiting");
  });
});

test("an answer without an end is not read", async () => {
  const { browser, receiver, webhook } = await telling();
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
  const delivery = await jsonOf<WebhookDelivery>(browser.send("POST", `${list}${webhook.id}/test/`));
  expect(delivery).toMatchObject({ type: "webhook.test", state: "delivered", status: 200, attempts: 1 });
  await vi.waitUntil(() => isClosed);
});

describe("a webhook is turned off", () => {
  test("by a receiver that is gone (410), until the owner turns it on again", async () => {
    const { running, browser, receiver, webhook } = await telling({ events: ["question.unanswered"] });
    receiver.answer = (_request, response) => response.writeHead(410).end();
    await askInVain(running);
    expect(await attempted(browser, webhook)).toMatchObject({
      state: "failed",
      problem: "gone",
      status: 410,
    });
    expect(await stateOf(browser)).toBe("gone");
    const { problems } = await jsonOf<Overview>(browser.get("/api/console/overview/"));
    expect(problems).toContainEqual(
      expect.objectContaining({
        code: "webhook_off",
        page: "settings",
        target: new URL(receiver.origin).host,
      }),
    );
    await askInVain(running);
    await running.service.sendWebhooks();
    expect(receiver.received).toHaveLength(1);
    receiver.answer = (_request, response) => response.end();
    expect(await jsonOf(browser.send("POST", `${list}${webhook.id}/on/`))).toMatchObject({ state: "on" });
    await askInVain(running);
    await vi.waitUntil(() => receiver.received.length === 2);
  });

  test("after 100 failures in a row, and one success ends the row", async () => {
    const { running, browser, receiver, webhook } = await telling({ events: ["question.unanswered"] });
    const test = () => jsonOf<WebhookDelivery>(browser.send("POST", `${list}${webhook.id}/test/`));
    receiver.answer = (_request, response, count) => response.writeHead(count === 50 ? 200 : 400).end();
    for (let count = 0; count < 150; count++) await test();
    expect(await stateOf(browser)).toBe("on");
    await test();
    expect(await stateOf(browser)).toBe("off");
    expect(running.lines).toContainEqual(expect.objectContaining({ message: "a webhook was turned off" }));
    receiver.answer = (_request, response) => response.end();
    expect(await test()).toMatchObject({ state: "delivered" });
    expect(await stateOf(browser)).toBe("off");
  });
});

test("a delivery is sent again by hand, with the same id", async () => {
  const { running, browser, receiver, webhook } = await telling({ events: ["question.unanswered"] });
  await askInVain(running);
  const { id } = await attempted(browser, webhook);
  running.pass(60);
  const path = `${list}${webhook.id}/deliveries/${id}/send/`;
  expect(await jsonOf(browser.send("POST", path))).toMatchObject({ id, state: "delivered", attempts: 1 });
  expect(receiver.received.map((one) => one.id)).toEqual([id, id]);
  expect(receiver.received[1]!.timestampSec - receiver.received[0]!.timestampSec).toBe(60);
});

test("the log ends after 7 days, and words go with those of their conversation", async () => {
  const { running, browser, webhook } = await telling({ with_words: true, events: ["question.unanswered"] });
  await keepWords(running, 3);
  const session = await askInVain(running);
  const { id } = await attempted(browser, webhook);
  const stored = () => running.store.webhooks.delivery(webhook.id, id);
  expect((await stored())?.words).toEqual({ question: unknown });
  await running.event(session, "SESSION_END");
  running.pass(3 * 86_400 + 60);
  await running.service.removeExpired();
  expect(await stored()).toMatchObject({ words: null });
  running.pass(4 * 86_400);
  await running.service.removeExpired();
  expect(await stored()).toBeNull();
});

describe("a webhook", () => {
  test("shows its secret once, and its log is gone with it", async () => {
    const { browser, webhook } = await telling();
    expect(webhook.secret).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(JSON.stringify(await jsonOf(browser.get(list)))).not.toContain("whsec_");
    expect((await browser.send("DELETE", `${list}${webhook.id}/`)).status).toBe(204);
    expect((await browser.get(`${list}${webhook.id}/deliveries/`)).status).toBe(404);
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
    const browser = await owner(await run());
    const refused = await browser.send("POST", list, { address, events: ["person.asked"] });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      errors: [{ attr: "address", detail: expect.stringContaining(reason) as string }],
    });
  });

  test("whose name leads into a private network is not called", async () => {
    const resolve = () => Promise.resolve([{ address: "127.0.0.1", family: 4 }]);
    const running = await run({ outbound: createOutboundCalls({ allowPrivate: false, resolve }) });
    const browser = await owner(running);
    const receiver = await receiveWebhooks();
    const { id } = await add(browser, `https://hooks.example:${new URL(receiver.origin).port}/`);
    const delivery = await jsonOf<WebhookDelivery>(browser.send("POST", `${list}${id}/test/`));
    expect(delivery).toMatchObject({ state: "failed", problem: "forbidden" });
    expect(receiver.paths).toEqual([]);
  });
});
