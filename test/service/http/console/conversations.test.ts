import { describe, expect } from "vitest";
import type { Conversation, ConversationDetail } from "../../../../src/protocol/console/conversations.ts";
import { statusOf } from "../../answers.ts";
import type { RunningService } from "../../service-fixture.ts";
import { jsonOf, owner, test } from "./console-fixture.ts";
import { ask, keepWords, newConversation, rate } from "./visitor.ts";

const list = "/api/console/conversations/";
const daySec = 24 * 60 * 60;
const chair = "How much is the Birch chair?";
const words = (text: string) => [
  { type: "visitor", text: chair },
  { type: "avatar", text, answered: true },
];

/** All that the store has of a text. */
async function stored({ organizationId, store }: RunningService, session: string): Promise<string> {
  const { conversations, events } = store;
  const conversation = await conversations.byId(organizationId, session);
  return JSON.stringify([conversation, await conversations.entries(session), await events.list(session)]);
}

const listOf = async (run: RunningService) => jsonOf<Conversation[]>((await owner(run)).get(list));
const detailOf = async (run: RunningService, session: string) =>
  jsonOf<ConversationDetail>((await owner(run)).get(`${list}${session}/`));

describe("what is kept of a conversation", () => {
  test("by default only figures: how long, how many questions, how many without an answer, whether it helped", async ({
    run,
  }) => {
    const session = await newConversation(run);
    await ask(run, session, chair);
    run.pass(5);
    await ask(run, session, "Is canary wool free of mulesing?");
    await rate(run, session, { of: "conversation", value: "down", why: "canary words" });
    run.pass(7);
    await run.event(session, "SESSION_END");
    await expect
      .poll(async () => (await listOf(run))[0])
      .toEqual({
        ...{ session_id: session, context: run.demo.id, duration_sec: 12 },
        ...{ started_at: "2026-01-01T00:00:00.000Z", ended_at: "2026-01-01T00:00:12.000Z" },
        ...{ termination_reason: "GRACEFUL_TERMINATION", questions: 2, unanswered: 1, helped: false },
        ...{ first_question: null, words_until: null },
      });
    expect(await stored(run, session)).not.toMatch(/canary|Birch/);
  });

  test("half a question whose answer began early is never noted, and a whole one once", async ({ run }) => {
    await keepWords(run, 2);
    const session = await newConversation(run);
    for (const content of ["How much is", chair]) {
      const question = { messages: [{ role: "user", content }], tools: [] };
      expect(await statusOf(run.send("POST", `/api/v1/session/${session}/llm/v2/early/`, question))).toBe(
        204,
      );
    }
    await ask(run, session, chair);
    const { questions, moments } = await detailOf(run, session);
    expect(questions).toBe(1);
    const said = words("The Birch chair costs 190 euros.").map((moment) => ({ ...moment, at_sec: 0 }));
    expect(moments.filter(({ type }) => type !== "event")).toEqual(said);
  });

  test("words are kept for as many days as the avatar says, then they are gone and the figures stay", async ({
    run,
  }) => {
    await keepWords(run, 2);
    const session = await newConversation(run);
    run.pass(1);
    await ask(run, session, chair);
    run.pass(1);
    await rate(run, session, { of: "conversation", value: "up", why: "canary words" });
    const detail = await detailOf(run, session);
    expect(detail).toMatchObject({ first_question: chair, words_until: "2026-01-03T00:00:00.000Z" });
    expect(detail.moments).toEqual([
      { type: "event", at_sec: 0, event: "SESSION_START", detail: null },
      ...words("The Birch chair costs 190 euros.").map((moment) => ({ ...moment, at_sec: 1 })),
      { type: "event", at_sec: 2, event: "SESSION_LOG", detail: expect.stringContaining("canary") },
    ]);
    run.pass(2 * daySec - 3);
    await run.service.removeExpired();
    expect(await stored(run, session)).toContain("Birch");
    run.pass(1);
    await run.service.removeExpired();
    expect(await stored(run, session)).not.toMatch(/Birch|canary/);
    expect(await listOf(run)).toMatchObject([{ session_id: session, questions: 1, helped: true }]);
  });

  test("a shorter retention applies to words that are kept already, a longer one does not", async ({
    run,
  }) => {
    await keepWords(run, 10);
    const session = await newConversation(run);
    await ask(run, session, chair);
    await keepWords(run, 30);
    const until = async () => (await run.store.conversations.byId(run.organizationId, session))!.expiresAtMs;
    expect(await until()).toBe(Date.UTC(2026, 0, 11));
    await keepWords(run, 0);
    await run.service.removeExpired();
    expect(await stored(run, session)).not.toContain("Birch");
    expect(await until()).toBeNull();
  });

  test("sessions without an avatar's context leave nothing", async ({ run }) => {
    const session = await run.newSession();
    await run.event(session, "SESSION_START");
    await ask(run, session, chair);
    expect(await listOf(run)).toEqual([]);
  });
});

describe("the list", () => {
  test("filters by avatar, time, ending, what did not help and what had no answer", async ({
    run,
    browser,
  }) => {
    const begin = async () => {
      const session = await newConversation(run);
      run.pass(60);
      return session;
    };
    const [plain, missing, useless, broken] = [await begin(), await begin(), await begin(), await begin()];
    await ask(run, missing, "Is the wool free of mulesing?");
    await rate(run, useless, { of: "conversation", value: "down" });
    await run.event(broken, "SESSION_ERROR");
    await run.event(plain, "SESSION_END");
    const find = async (query: string) =>
      (await jsonOf<Conversation[]>(browser.get(`${list}?${query}`))).map((one) => one.session_id);
    for (const [query, found] of [
      ["", [broken, useless, missing, plain]],
      ["unanswered=true", [missing]],
      ["did_not_help=true", [useless]],
      ["ended=error", [broken]],
      ["ended=visitor", [plain]],
      ["ended=limit", []],
      ["from=2026-01-01T00:01:00Z&to=2026-01-01T00:02:00Z", [missing]],
      [`context=${run.demo.id}`, [broken, useless, missing, plain]],
      ["context=none", []],
    ] as const)
      await expect.poll(() => find(query), { message: query }).toEqual(found);
    for (const query of ["from=yesterday", "ended=never"])
      expect(await statusOf(browser.get(`${list}?${query}`))).toBe(400);
  });

  test("is read page by page, also when conversations begin meanwhile or at the same time", async ({
    run,
    browser,
  }) => {
    const begun: string[] = [];
    for (let number = 0; number < 5; number += 1) begun.push(await newConversation(run));
    const first = await browser.get(`${list}?limit=3`);
    const ids = (await jsonOf<Conversation[]>(first)).map((one) => one.session_id);
    run.pass(1);
    await newConversation(run);
    const next = /<([^>]+)>/.exec(first.headers.get("link")!)![1]!;
    const rest = await jsonOf<Conversation[]>(browser.get(`${list}${next}`));
    expect([...ids, ...rest.map((one) => one.session_id)].sort()).toEqual([...begun].sort());
  });

  test("shows nothing of another organization", async ({ run, browser }) => {
    await run.store.organizations.insert({ id: "bakery", name: "Bakery", createdAtMs: 1 });
    const ids = { sessionId: "s", organizationId: "bakery", contextUuid: "c" };
    await run.store.conversations.begin({ ...ids, startedAtMs: 1, expiresAtMs: 9 });
    expect(await jsonOf(browser.get(list))).toEqual([]);
    for (const method of ["GET", "DELETE"])
      expect(await statusOf(browser.send(method, `${list}s/`))).toBe(404);
  });
});

describe("deleting", () => {
  test("a conversation hides it at once, can be undone, and is final after 30 s", async ({
    run,
    browser,
  }) => {
    await keepWords(run, 10);
    const session = await newConversation(run);
    await ask(run, session, chair);
    const path = `${list}${session}/`;
    const status = (method: string, end = "") => statusOf(browser.send(method, `${path}${end}`));
    expect([await status("DELETE"), await status("GET")]).toEqual([204, 404]);
    expect(await jsonOf(browser.get(list))).toEqual([]);
    expect(await status("POST", "restore/")).toBe(204);
    expect(await jsonOf(browser.get(list))).toHaveLength(1);
    await status("DELETE");
    run.pass(30);
    await run.service.removeExpired();
    expect(await status("POST", "restore/")).toBe(404);
    expect(await stored(run, session)).not.toContain("Birch");
  });

  test("all of them can be undone", async ({ run, browser }) => {
    await newConversation(run);
    await newConversation(run);
    expect(await jsonOf(browser.send("DELETE", list))).toEqual({ conversations: 2 });
    expect(await jsonOf(browser.get(list))).toEqual([]);
    const restored = await jsonOf(browser.send("POST", "/api/console/conversation-restore/"));
    expect(restored).toEqual({ conversations: 2 });
    expect(await jsonOf(browser.get(list))).toHaveLength(2);
  });
});

test("the export has what was said as JSON and as CSV, and no cell is a formula", async ({
  run,
  browser,
}) => {
  await keepWords(run, 10);
  await ask(run, await newConversation(run), '=HYPERLINK("https://evil.example"),\nBirch chair price');
  await newConversation(run);
  const path = "/api/console/conversation-export";
  expect(await jsonOf(browser.get(`${path}/json/`))).toHaveLength(2);
  const csv = await browser.get(`${path}/csv/`);
  expect(csv.headers.get("content-disposition")).toBe('attachment; filename="conversations.csv"');
  const bytes = new Uint8Array(await csv.arrayBuffer());
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const text = new TextDecoder().decode(bytes);
  expect(text).toContain(`0,visitor,"'=HYPERLINK(""https://evil.example""),\nBirch chair price",`);
  expect(text.split("\r\n")[0]).toBe("session_id,context,started_at,at_sec,who,text,answered");
  expect(await jsonOf(browser.get(`${path}/json/?unanswered=true&ended=limit`))).toEqual([]);
});
