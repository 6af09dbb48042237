/** People who look on, join, whisper and hand back, and what visitors get of it. */
import { describe, expect, onTestFinished, test } from "vitest";
import type { ConversationDetail } from "../../../../src/protocol/console/conversations.ts";
import type { LiveEvent, LiveTalk } from "../../../../src/protocol/console/live.ts";
import type { PersonEvent } from "../../../../src/protocol/session/person.ts";
import { defaultEngineBudgets } from "../../../../src/service/service-settings.ts";
import type { RunningService } from "../../service-fixture.ts";
import { type Browser, invited, jsonOf, owner, runConsole } from "./console-fixture.ts";
import { ask, askForEvents, keepWords, newConversation } from "./visitor.ts";

const live = "/api/console/live/";

/** The events of a stream, as they come. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows what the stream is of
function listen<Event>(answer: Response): { events: Event[]; isOver(): boolean; close(): Promise<void> } {
  expect(answer.status).toBe(200);
  const events: Event[] = [];
  let isOver = false;
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  void (async () => {
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
      if (done) return;
      const lines = (rest + (value ?? "")).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (line.startsWith("data:")) events.push(JSON.parse(line.slice(5)) as Event);
    }
  })().finally(() => (isOver = true));
  const close = (): Promise<void> => reader.cancel().catch(() => undefined);
  onTestFinished(close);
  return { events, isOver: () => isOver, close };
}

const watch = async (browser: Browser, session = "") =>
  listen<LiveEvent>(await browser.get(`${live}stream/${session && `?session=${session}`}`));

const visit = async (run: RunningService, session: string) =>
  listen<PersonEvent>(await run.get(`/api/v1/session/${session}/person/?page=Chairs&path=/chairs`));

const stateOf = (events: readonly PersonEvent[]) => events.findLast((event) => event.type === "state");

/** The conversation in the list as it was told last. */
const talkOf = (events: readonly LiveEvent[], session: string): LiveTalk | undefined =>
  events
    .flatMap((event) => (event.type === "talks" ? event.changed : []))
    .findLast((talk) => talk.session_id === session);

const linesOf = (events: readonly LiveEvent[]) =>
  events.flatMap((event) => (event.type === "talk" ? event.lines : [])).map(({ role, text }) => [role, text]);

const beHere = async (browser: Browser, name: string) =>
  expect((await browser.send("PUT", `${live}presence/`, { minutes: 60, name })).status).toBe(204);

const send = async (browser: Browser, session: string, action: string, body: unknown = {}) =>
  (await browser.send("POST", `${live}${session}/${action}/`, body)).status;

describe("presence", () => {
  test("a person can join only while somebody is there, and for 60 s after their last sign", async () => {
    const run = await runConsole();
    const lena = await owner(run);
    const session = await newConversation(run);
    const beat = async () =>
      jsonOf<{ people?: number }>(
        run.send("POST", `/api/v1/session/${session}/event/create/`, { event: "SESSION_DURING" }),
      );
    expect((await beat()).people).toBeUndefined();
    const visitor = await visit(run, session);
    await expect.poll(() => stateOf(visitor.events)?.state).toBe("away");
    await beHere(lena, "Lena");
    await expect.poll(() => stateOf(visitor.events)).toMatchObject({ state: "here", people: ["Lena"] });
    run.pass(2);
    expect((await beat()).people).toBe(1);
    run.pass(59);
    expect((await beat()).people).toBeUndefined();
    await run.send("POST", `/api/v1/session/${session}/person/`, { wanted: true });
    expect((await run.store.live.talk(session))?.state).toBe("avatar");
  });
});

describe("a conversation that a person takes over", () => {
  test("waits, is answered by one of two, and is handed back with a summary", async () => {
    const run = await runConsole();
    await keepWords(run, 2);
    const lena = await owner(run);
    const jonas = await invited(run, "answers", "jonas");
    const session = await newConversation(run);
    await beHere(lena, "Lena");
    const console = await watch(lena, session);
    const visitor = await visit(run, session);
    await ask(run, session, "How much is the Birch chair?");
    await expect.poll(() => linesOf(console.events).length).toBe(2);
    expect((await run.send("POST", `/api/v1/session/${session}/person/`, { wanted: true })).status).toBe(204);
    await expect
      .poll(() => stateOf(visitor.events))
      .toMatchObject({ state: "waiting", place: 1, wait_sec: null });
    await expect
      .poll(() => talkOf(console.events, session))
      .toMatchObject({ state: "waiting", need: "asked", page: "Chairs", path: "/chairs" });

    const claims = await Promise.all([send(jonas, session, "take"), send(lena, session, "take")]);
    expect(claims.toSorted()).toEqual([204, 409]);
    const [winner, other, name] = claims[0] === 204 ? [jonas, lena, "jonas"] : [lena, jonas, "Lena"];
    await expect.poll(() => stateOf(visitor.events)).toMatchObject({ state: "joined", name });
    const refused = await other.send("POST", `${live}${session}/take/`, {});
    expect(await refused.json()).toMatchObject({ errors: [{ code: "taken", detail: new RegExp(name) }] });
    expect(await send(other, session, "messages", { text: "Me too" })).toBe(403);

    expect(await askForEvents(run, session, "Are you a person?")).toEqual([
      { status: "success", type: "handover", role: "person", content: "", name },
      { status: "success", type: "finish", role: "assistant", content: "" },
    ]);
    expect(await send(winner, session, "writing")).toBe(204);
    await expect.poll(() => stateOf(visitor.events)?.is_writing).toBe(true);
    expect(await send(winner, session, "messages", { text: "Yes, I am." })).toBe(204);
    await expect
      .poll(() => visitor.events.find(({ type }) => type === "line"))
      .toMatchObject({ name, text: "Yes, I am." });
    expect(await send(winner, session, "hand-back", { summary: "He wants a chair." })).toBe(204);
    await expect.poll(() => stateOf(visitor.events)?.state).toBe("here");
    expect(await ask(run, session, "How much is the Birch chair?")).toContain("190");
    await expect
      .poll(() => linesOf(console.events).slice(2))
      .toEqual([
        ["note", "asked"],
        ["note", "joined"],
        ["visitor", "Are you a person?"],
        ["person", "Yes, I am."],
        ["summary", "He wants a chair."],
        ["note", "left"],
        ["visitor", "How much is the Birch chair?"],
        ["avatar", expect.stringContaining("190")],
      ]);
    const detail = await jsonOf<ConversationDetail>(lena.get(`/api/console/conversations/${session}/`));
    expect(detail.moments).toContainEqual(
      expect.objectContaining({ type: "person", name, text: "Yes, I am." }),
    );
    const audit = await jsonOf<{ operation: string; actor_name: string }[]>(
      lena.get("/api/console/audit-log/"),
    );
    const mine = audit.map(({ operation }) => operation);
    expect(mine.filter((operation) => operation === "takeOverConversation")).toHaveLength(1);
    expect(mine).toContain("handBackConversation");
    expect(mine).not.toContain("sendPersonMessage");
  });

  test("goes on with the avatar when the person's console is not heard of for 20 s", async () => {
    const run = await runConsole();
    const lena = await owner(run);
    const session = await newConversation(run);
    await beHere(lena, "Lena");
    const visitor = await visit(run, session);
    expect(await send(lena, session, "take")).toBe(204);
    await expect.poll(() => stateOf(visitor.events)).toMatchObject({ state: "joined", lost_sec: null });
    run.pass(6);
    await expect.poll(() => stateOf(visitor.events)?.lost_sec).toBe(14);
    expect((await lena.send("POST", `${live}alive/`)).status).toBe(204);
    await expect.poll(() => stateOf(visitor.events)?.lost_sec).toBeNull();
    run.pass(21);
    await expect.poll(() => stateOf(visitor.events)?.state).toBe("here");
    expect(await ask(run, session, "How much is the Birch chair?")).toContain("190");
  });

  test("a colleague takes it over on purpose only", async () => {
    const run = await runConsole();
    const lena = await owner(run);
    const jonas = await invited(run, "answers", "jonas");
    const session = await newConversation(run);
    const console = await watch(lena);
    expect(await send(lena, session, "take")).toBe(204);
    await expect.poll(() => talkOf(console.events, session)?.person).toBeTruthy();
    const { account } = talkOf(console.events, session)!.person!;
    expect(await send(jonas, session, "take")).toBe(409);
    expect(await send(jonas, session, "take", { from: account })).toBe(204);
    expect(await send(lena, session, "messages", { text: "Hello" })).toBe(403);
  });
});

describe("what needs a person", () => {
  test("two answers in a row that found nothing, and not one", async () => {
    const run = await runConsole();
    const console = await watch(await owner(run));
    const session = await newConversation(run);
    const need = () => talkOf(console.events, session)?.need;
    await askForEvents(run, session, "Who painted the Mona Lisa?");
    await expect.poll(need).toBeNull();
    await ask(run, session, "How much is the Birch chair?");
    await askForEvents(run, session, "Who painted the Mona Lisa?");
    expect((await run.store.live.talk(session))?.need).toBeNull();
    await askForEvents(run, session, "What is the capital of Mongolia?");
    await expect.poll(need).toBe("not_found");
  });
});

test("whispered words are told to the page to be said, and facts are not", async () => {
  const run = await runConsole();
  const lena = await owner(run);
  const session = await newConversation(run);
  await beHere(lena, "Lena");
  const visitor = await visit(run, session);
  await expect.poll(() => stateOf(visitor.events)?.state).toBe("here");
  expect(await send(lena, session, "whisper", { text: "A fact", how: "keep" })).toBe(204);
  expect(await send(lena, session, "whisper", { text: "Say this", how: "say" })).toBe(204);
  await expect.poll(() => visitor.events.filter(({ type }) => type === "say")).toHaveLength(1);
  expect(visitor.events.find(({ type }) => type === "say")).toMatchObject({ text: "Say this" });
});

test("where words are not kept, none of them is readable later, and all are removed after the end", async () => {
  const run = await runConsole();
  const lena = await owner(run);
  const session = await newConversation(run);
  await ask(run, session, "Before anybody is there?");
  expect(await run.store.conversations.entries(session)).toEqual([]);
  await beHere(lena, "Lena");
  await ask(run, session, "How much is the Birch chair?");
  expect(await send(lena, session, "take")).toBe(204);
  expect(await send(lena, session, "messages", { text: "canary words" })).toBe(204);
  const detail = await jsonOf<ConversationDetail>(lena.get(`/api/console/conversations/${session}/`));
  expect(JSON.stringify(detail)).not.toMatch(/canary|Birch/);
  await run.event(session, "SESSION_END");
  await expect
    .poll(async () => (await run.store.conversations.byId(run.organizationId, session))?.endedAtMs)
    .not.toBeNull();
  run.pass(6 * 60);
  await run.service.removeExpired();
  expect(await run.store.conversations.entries(session)).toEqual([]);
  expect(await run.store.live.talk(session)).toBeNull();
});

test("a viewer looks on, and nobody takes a conversation that is not there", async () => {
  const run = await runConsole();
  const viewer = await invited(run, "viewer", "Vera");
  const session = await newConversation(run);
  const console = await watch(viewer, session);
  await expect.poll(() => talkOf(console.events, session)).toBeDefined();
  const answers = await invited(run, "answers", "Ann");
  expect(await send(answers, "f".repeat(40), "take")).toBe(404);
});

describe("what a visitor may do", () => {
  test("a page has one stream: another one takes its place", async () => {
    const run = await runConsole();
    const session = await newConversation(run);
    const first = await visit(run, session);
    await expect.poll(() => first.events.length).toBeGreaterThan(0);
    const second = await visit(run, session);
    await expect.poll(() => first.isOver()).toBe(true);
    await expect.poll(() => second.events.length).toBeGreaterThan(0);
    expect(second.isOver()).toBe(false);
  });

  test("what is written to a person, and wishes for one, are limited as questions are", async () => {
    const { session: ofSession, context } = defaultEngineBudgets;
    const run = await runConsole({
      engineBudgets: { session: { ...ofSession, turnsPerMinute: 3 }, context },
    });
    const lena = await owner(run);
    const session = await newConversation(run);
    await beHere(lena, "Lena");
    expect(await send(lena, session, "take")).toBe(204);
    const write = async () =>
      (
        await run.send("POST", `/api/v1/session/${session}/llm/v2/`, {
          messages: [{ role: "user", content: "Hello?" }],
        })
      ).text();
    for (const _ of [1, 2, 3]) expect(await write()).toContain("handover");
    expect(await write()).toContain("G0005");
    const wish = await run.send("POST", `/api/v1/session/${session}/person/`, { wanted: true });
    expect(wish.status).toBe(429);
  });
});
