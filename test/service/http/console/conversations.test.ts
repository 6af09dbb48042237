import { describe, expect, test } from "vitest";
import type { Conversation, ConversationDetail } from "../../../../src/protocol/console/conversations.ts";
import type { RunningService } from "../../service-fixture.ts";
import { jsonOf, owner, runConsole } from "./console-fixture.ts";
import { ask, keepWords, newConversation, rate } from "./visitor.ts";

const list = "/api/console/conversations/";
const daySec = 24 * 60 * 60;

/** All that the store has of a text. */
async function stored(run: RunningService, session: string): Promise<string> {
  const { conversations, events } = run.store;
  return JSON.stringify([
    await conversations.byId(run.organizationId, session),
    await conversations.entries(session),
    await events.list(session),
  ]);
}

describe("what is kept of a conversation", () => {
  test("by default only figures: how long, how many questions, how many without an answer, whether it helped", async () => {
    const run = await runConsole();
    const session = await newConversation(run);
    await ask(run, session, "How much is the Birch chair?");
    run.pass(5);
    await ask(run, session, "Is canary wool free of mulesing?");
    await rate(run, session, { of: "conversation", value: "down", why: "canary words" });
    run.pass(7);
    await run.event(session, "SESSION_END");
    const browser = await owner(run);
    await expect
      .poll(async () => (await jsonOf<Conversation[]>(browser.get(list)))[0])
      .toEqual({
        session_id: session,
        context: run.demo.id,
        started_at: "2026-01-01T00:00:00.000Z",
        ended_at: "2026-01-01T00:00:12.000Z",
        duration_sec: 12,
        termination_reason: "GRACEFUL_TERMINATION",
        questions: 2,
        unanswered: 1,
        helped: false,
        first_question: null,
        words_until: null,
      });
    expect(await stored(run, session)).not.toMatch(/canary|Birch/);
  });

  test("half a question whose answer began early is never noted, and a whole one once", async () => {
    const run = await runConsole();
    await keepWords(run, 2);
    const session = await newConversation(run);
    const path = `/api/v1/session/${session}/llm/v2/`;
    for (const content of ["How much is", "How much is the Birch chair?"]) {
      const question = { messages: [{ role: "user", content }], tools: [] };
      expect((await run.send("POST", `${path}early/`, question)).status).toBe(204);
    }
    await ask(run, session, "How much is the Birch chair?");
    const detail = await jsonOf<ConversationDetail>((await owner(run)).get(`${list}${session}/`));
    expect(detail.questions).toBe(1);
    expect(detail.moments.filter(({ type }) => type !== "event")).toEqual([
      { type: "visitor", at_sec: 0, text: "How much is the Birch chair?" },
      { type: "avatar", at_sec: 0, text: "The Birch chair costs 190 euros.", answered: true },
    ]);
  });

  test("words are kept for as many days as the avatar says, then they are gone and the figures stay", async () => {
    const run = await runConsole();
    await keepWords(run, 2);
    const session = await newConversation(run);
    run.pass(1);
    await ask(run, session, "How much is the Birch chair?");
    run.pass(1);
    await rate(run, session, { of: "conversation", value: "up", why: "canary words" });
    const detail = await jsonOf<ConversationDetail>((await owner(run)).get(`${list}${session}/`));
    expect(detail.first_question).toBe("How much is the Birch chair?");
    expect(detail.words_until).toBe("2026-01-03T00:00:00.000Z");
    expect(detail.moments).toEqual([
      { type: "event", at_sec: 0, event: "SESSION_START", detail: null },
      { type: "visitor", at_sec: 1, text: "How much is the Birch chair?" },
      { type: "avatar", at_sec: 1, text: "The Birch chair costs 190 euros.", answered: true },
      { type: "event", at_sec: 2, event: "SESSION_LOG", detail: expect.stringContaining("canary") },
    ]);
    run.pass(2 * daySec - 3);
    await run.service.removeExpired();
    expect(await stored(run, session)).toContain("Birch");
    run.pass(1);
    await run.service.removeExpired();
    expect(await stored(run, session)).not.toMatch(/Birch|canary/);
    expect((await jsonOf<Conversation[]>((await owner(run)).get(list)))[0]).toMatchObject({
      session_id: session,
      questions: 1,
      helped: true,
    });
  });

  test("a shorter retention applies to words that are kept already, a longer one does not", async () => {
    const run = await runConsole();
    await keepWords(run, 10);
    const session = await newConversation(run);
    await ask(run, session, "How much is the Birch chair?");
    await keepWords(run, 30);
    const until = async () => (await run.store.conversations.byId(run.organizationId, session))!.expiresAtMs;
    expect(await until()).toBe(Date.UTC(2026, 0, 11));
    await keepWords(run, 0);
    await run.service.removeExpired();
    expect(await stored(run, session)).not.toContain("Birch");
    expect(await until()).toBeNull();
  });

  test("sessions without an avatar's context leave nothing", async () => {
    const run = await runConsole();
    const session = await run.newSession();
    await run.event(session, "SESSION_START");
    await ask(run, session, "How much is the Birch chair?");
    expect(await jsonOf<Conversation[]>((await owner(run)).get(list))).toEqual([]);
  });
});

describe("the list", () => {
  test("filters by avatar, time, ending, what did not help and what had no answer", async () => {
    const run = await runConsole();
    const begun: string[] = [];
    for (let number = 0; number < 4; number += 1) {
      begun.push(await newConversation(run));
      run.pass(60);
    }
    const [plain, missing, useless, broken] = begun as [string, string, string, string];
    await ask(run, missing, "Is the wool free of mulesing?");
    await rate(run, useless, { of: "conversation", value: "down" });
    await run.event(broken, "SESSION_ERROR");
    await run.event(plain, "SESSION_END");
    const browser = await owner(run);
    const find = async (query: string) =>
      (await jsonOf<Conversation[]>(browser.get(`${list}?${query}`))).map((one) => one.session_id);
    expect(await find("")).toEqual([broken, useless, missing, plain]);
    expect(await find("unanswered=true")).toEqual([missing]);
    expect(await find("did_not_help=true")).toEqual([useless]);
    await expect.poll(() => find("ended=error")).toEqual([broken]);
    await expect.poll(() => find("ended=visitor")).toEqual([plain]);
    expect(await find("ended=limit")).toEqual([]);
    expect(await find("from=2026-01-01T00:01:00Z&to=2026-01-01T00:02:00Z")).toEqual([missing]);
    expect(await find(`context=${run.demo.id}`)).toHaveLength(4);
    expect(await find("context=none")).toEqual([]);
    expect((await browser.get(`${list}?from=yesterday`)).status).toBe(400);
    expect((await browser.get(`${list}?ended=never`)).status).toBe(400);
  });

  test("is read page by page, also when conversations begin meanwhile or at the same time", async () => {
    const run = await runConsole();
    const begun: string[] = [];
    for (let number = 0; number < 5; number += 1) begun.push(await newConversation(run));
    const browser = await owner(run);
    const first = await browser.get(`${list}?limit=3`);
    const ids = (await jsonOf<Conversation[]>(first)).map((one) => one.session_id);
    run.pass(1);
    await newConversation(run);
    const next = /<([^>]+)>/.exec(first.headers.get("link")!)![1]!;
    const rest = await jsonOf<Conversation[]>(browser.get(`${list}${next}`));
    expect([...ids, ...rest.map((one) => one.session_id)].sort()).toEqual([...begun].sort());
  });

  test("shows nothing of another organization", async () => {
    const run = await runConsole();
    await run.store.organizations.insert({ id: "bakery", name: "Bakery", createdAtMs: 1 });
    const begun = {
      sessionId: "s",
      organizationId: "bakery",
      contextUuid: "c",
      startedAtMs: 1,
      expiresAtMs: 9,
    };
    await run.store.conversations.begin(begun);
    const browser = await owner(run);
    expect(await jsonOf<Conversation[]>(browser.get(list))).toEqual([]);
    expect((await browser.get(`${list}s/`)).status).toBe(404);
    expect((await browser.send("DELETE", `${list}s/`)).status).toBe(404);
  });
});

describe("deleting", () => {
  test("a conversation hides it at once, can be undone, and is final after 30 s", async () => {
    const run = await runConsole();
    await keepWords(run, 10);
    const session = await newConversation(run);
    await ask(run, session, "How much is the Birch chair?");
    const browser = await owner(run);
    expect((await browser.send("DELETE", `${list}${session}/`)).status).toBe(204);
    expect((await browser.get(`${list}${session}/`)).status).toBe(404);
    expect(await jsonOf<Conversation[]>(browser.get(list))).toEqual([]);
    expect((await browser.send("POST", `${list}${session}/restore/`)).status).toBe(204);
    expect(await jsonOf<Conversation[]>(browser.get(list))).toHaveLength(1);
    await browser.send("DELETE", `${list}${session}/`);
    run.pass(30);
    await run.service.removeExpired();
    expect((await browser.send("POST", `${list}${session}/restore/`)).status).toBe(404);
    expect(await stored(run, session)).not.toContain("Birch");
  });

  test("all of them can be undone", async () => {
    const run = await runConsole();
    await newConversation(run);
    await newConversation(run);
    const browser = await owner(run);
    expect(await jsonOf(browser.send("DELETE", list))).toEqual({ conversations: 2 });
    expect(await jsonOf<Conversation[]>(browser.get(list))).toEqual([]);
    expect(await jsonOf(browser.send("POST", "/api/console/conversation-restore/"))).toEqual({
      conversations: 2,
    });
  });
});

describe("the export", () => {
  test("has what was said as JSON and as CSV, and no cell is a formula", async () => {
    const run = await runConsole();
    await keepWords(run, 10);
    const session = await newConversation(run);
    await ask(run, session, '=HYPERLINK("https://evil.example"),\nBirch chair price');
    await newConversation(run);
    const browser = await owner(run);
    const json = await jsonOf<ConversationDetail[]>(browser.get("/api/console/conversation-export/json/"));
    expect(json).toHaveLength(2);
    const csv = await browser.get("/api/console/conversation-export/csv/");
    expect(csv.headers.get("content-disposition")).toBe('attachment; filename="conversations.csv"');
    const bytes = new Uint8Array(await csv.arrayBuffer());
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const text = new TextDecoder().decode(bytes);
    expect(text).toContain(`0,visitor,"'=HYPERLINK(""https://evil.example""),\nBirch chair price",`);
    expect(text.split("\r\n")[0]).toBe("session_id,context,started_at,at_sec,who,text,answered");
    const none = "/api/console/conversation-export/json/?unanswered=true&ended=limit";
    expect(await jsonOf(browser.get(none))).toEqual([]);
  });
});
