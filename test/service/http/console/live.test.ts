/** People who look on, join, whisper and hand back, and what visitors get of it. */
import { describe, expect, onTestFinished } from "vitest";
import type { ConversationDetail } from "../../../../src/protocol/console/conversations.ts";
import type { LiveEvent, LiveTalk } from "../../../../src/protocol/console/live.ts";
import type { PersonEvent } from "../../../../src/protocol/session/person.ts";
import { defaultEngineBudgets } from "../../../../src/service/service-settings.ts";
import { errorsOf, statusOf } from "../../answers.ts";
import type { RunningService } from "../../service-fixture.ts";
import { type Browser, invited, jsonOf, owner, runConsole, test as consoleTest } from "./console-fixture.ts";
import { ask, askForEvents, keepWords, newConversation } from "./visitor.ts";

const live = "/api/console/live/";
const chair = "How much is the Birch chair?";
const painter = "Who painted the Mona Lisa?";

/** The events of a stream, as they come. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows what the stream is of
function listen<Event>(answer: Response): { events: Event[]; isOver(): boolean } {
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
  onTestFinished(() => reader.cancel().catch(() => undefined));
  return { events, isOver: () => isOver };
}

/** What somebody in the console sees of a conversation. */
async function watch(browser: Browser, session: string, ofOne = false) {
  const { events } = listen<LiveEvent>(
    await browser.get(`${live}stream/${ofOne ? `?session=${session}` : ""}`),
  );
  return {
    /** The conversation in the list as it was told last. */
    talk: (): LiveTalk | undefined =>
      events
        .flatMap((event) => (event.type === "talks" ? event.changed : []))
        .findLast((talk) => talk.session_id === session),
    lines: () =>
      events
        .flatMap((event) => (event.type === "talk" ? event.lines : []))
        .map(({ role, text }) => [role, text]),
  };
}

/** What the visitor's page is told. */
async function visit(run: RunningService, session: string) {
  const path = `/api/v1/session/${session}/person/?page=Chairs&path=/chairs`;
  const { events, isOver } = listen<PersonEvent>(await run.get(path));
  const state = () => events.findLast((event) => event.type === "state");
  return { events, isOver, state, expectState: (told: object) => expect.poll(state).toMatchObject(told) };
}

const send = (browser: Browser, session: string, action: string, body: unknown = {}) =>
  statusOf(browser.send("POST", `${live}${session}/${action}/`, body));
const want = (run: RunningService, session: string) =>
  statusOf(run.send("POST", `/api/v1/session/${session}/person/`, { wanted: true }));
const beHere = async (browser: Browser, name = "Lena") =>
  expect(await statusOf(browser.send("PUT", `${live}presence/`, { minutes: 60, name }))).toBe(204);

/** A conversation. `browser` is Lena's. */
const test = consoleTest.extend("session", ({ run }) => newConversation(run));

test("a person can join only while somebody is there, and for 60 s after their last sign", async ({
  run,
  browser: lena,
  session,
}) => {
  const people = async () => ((await run.event(session, "SESSION_DURING")) as { people?: number }).people;
  expect(await people()).toBeUndefined();
  const visitor = await visit(run, session);
  await visitor.expectState({ state: "away" });
  await beHere(lena);
  await visitor.expectState({ state: "here", people: ["Lena"] });
  run.pass(2);
  expect(await people()).toBe(1);
  run.pass(59);
  expect(await people()).toBeUndefined();
  await want(run, session);
  expect((await run.store.live.talk(session))?.state).toBe("avatar");
});

describe("a conversation that a person takes over", () => {
  test("waits, is answered by one of two, and is handed back with a summary", async ({
    run,
    browser: lena,
  }) => {
    await keepWords(run, 2);
    const session = await newConversation(run);
    const jonas = await invited(run, "answers", "jonas");
    await beHere(lena);
    const seen = await watch(lena, session, true);
    const visitor = await visit(run, session);
    await ask(run, session, chair);
    await expect.poll(() => seen.lines().length).toBe(2);
    expect(await want(run, session)).toBe(204);
    await visitor.expectState({ state: "waiting", place: 1, wait_sec: null });
    const waiting = { state: "waiting", need: "asked", page: "Chairs", path: "/chairs" };
    await expect.poll(seen.talk).toMatchObject(waiting);

    const claims = await Promise.all([send(jonas, session, "take"), send(lena, session, "take")]);
    expect(claims.toSorted()).toEqual([204, 409]);
    const [winner, other, name] = claims[0] === 204 ? [jonas, lena, "jonas"] : [lena, jonas, "Lena"];
    await visitor.expectState({ state: "joined", name });
    const taken = await errorsOf(other.send("POST", `${live}${session}/take/`, {}));
    expect(taken).toMatchObject([{ code: "taken", detail: expect.stringContaining(name) as string }]);
    expect(await send(other, session, "messages", { text: "Me too" })).toBe(403);

    expect(await askForEvents(run, session, "Are you a person?")).toEqual([
      { status: "success", type: "handover", role: "person", content: "", name },
      { status: "success", type: "finish", role: "assistant", content: "" },
    ]);
    expect(await send(winner, session, "writing")).toBe(204);
    await visitor.expectState({ is_writing: true });
    const text = "Yes, I am.";
    expect(await send(winner, session, "messages", { text })).toBe(204);
    const line = () => visitor.events.find(({ type }) => type === "line");
    await expect.poll(line).toMatchObject({ name, text });
    const summary = "He wants a chair.";
    expect(await send(winner, session, "hand-back", { summary })).toBe(204);
    await visitor.expectState({ state: "here" });
    expect(await ask(run, session, chair)).toContain("190");
    await expect
      .poll(() => seen.lines().slice(2))
      .toEqual([
        ["note", "asked"],
        ["note", "joined"],
        ["visitor", "Are you a person?"],
        ["person", text],
        ["summary", summary],
        ["note", "left"],
        ["visitor", chair],
        ["avatar", expect.stringContaining("190")],
      ]);
    const detail = await jsonOf<ConversationDetail>(lena.get(`/api/console/conversations/${session}/`));
    expect(detail.moments).toContainEqual(expect.objectContaining({ type: "person", name, text }));
    const audit = await jsonOf<{ operation: string }[]>(lena.get("/api/console/audit-log/"));
    const operations = audit.map(({ operation }) => operation);
    expect(operations.filter((operation) => operation === "takeOverConversation")).toHaveLength(1);
    expect(operations).toContain("handBackConversation");
    expect(operations).not.toContain("sendPersonMessage");
  });

  test("goes on with the avatar when the person's console is not heard of for 20 s", async ({
    run,
    browser: lena,
    session,
  }) => {
    await beHere(lena);
    const visitor = await visit(run, session);
    expect(await send(lena, session, "take")).toBe(204);
    await visitor.expectState({ state: "joined", lost_sec: null });
    run.pass(6);
    await visitor.expectState({ lost_sec: 14 });
    expect(await statusOf(lena.send("POST", `${live}alive/`))).toBe(204);
    await visitor.expectState({ lost_sec: null });
    run.pass(21);
    await visitor.expectState({ state: "here" });
    expect(await ask(run, session, chair)).toContain("190");
  });

  test("a colleague takes it over on purpose only", async ({ run, browser: lena, session }) => {
    const jonas = await invited(run, "answers", "jonas");
    const { talk } = await watch(lena, session);
    expect(await send(lena, session, "take")).toBe(204);
    await expect.poll(() => talk()?.person).toBeTruthy();
    const { account: from } = talk()!.person!;
    expect(await send(jonas, session, "take")).toBe(409);
    expect(await send(jonas, session, "take", { from })).toBe(204);
    expect(await send(lena, session, "messages", { text: "Hello" })).toBe(403);
  });
});

test("two answers in a row that found nothing need a person, and not one", async ({
  run,
  browser,
  session,
}) => {
  const { talk } = await watch(browser, session);
  const need = () => talk()?.need;
  await askForEvents(run, session, painter);
  await expect.poll(need).toBeNull();
  await ask(run, session, chair);
  await askForEvents(run, session, painter);
  expect((await run.store.live.talk(session))?.need).toBeNull();
  await askForEvents(run, session, "What is the capital of Mongolia?");
  await expect.poll(need).toBe("not_found");
});

test("whispered words are told to the page to be said, and facts are not", async ({
  run,
  browser: lena,
  session,
}) => {
  await beHere(lena);
  const visitor = await visit(run, session);
  await visitor.expectState({ state: "here" });
  expect(await send(lena, session, "whisper", { text: "A fact", how: "keep" })).toBe(204);
  expect(await send(lena, session, "whisper", { text: "Say this", how: "say" })).toBe(204);
  const told = () => visitor.events.filter(({ type }) => type === "say");
  await expect.poll(told).toMatchObject([{ text: "Say this" }]);
});

test("where words are not kept, none of them is readable later, and all are removed after the end", async ({
  run,
  browser: lena,
  session,
}) => {
  await ask(run, session, "Before anybody is there?");
  expect(await run.store.conversations.entries(session)).toEqual([]);
  await beHere(lena);
  await ask(run, session, chair);
  expect(await send(lena, session, "take")).toBe(204);
  expect(await send(lena, session, "messages", { text: "canary words" })).toBe(204);
  const detail = await jsonOf(lena.get(`/api/console/conversations/${session}/`));
  expect(JSON.stringify(detail)).not.toMatch(/canary|Birch/);
  await run.event(session, "SESSION_END");
  const conversation = () => run.store.conversations.byId(run.organizationId, session);
  await expect.poll(async () => (await conversation())?.endedAtMs).not.toBeNull();
  run.pass(6 * 60);
  await run.service.removeExpired();
  expect(await run.store.conversations.entries(session)).toEqual([]);
  expect(await run.store.live.talk(session)).toBeNull();
});

test("a viewer looks on, and nobody takes a conversation that is not there", async ({ run, session }) => {
  const { talk } = await watch(await invited(run, "viewer", "Vera"), session, true);
  await expect.poll(talk).toBeDefined();
  expect(await send(await invited(run, "answers", "Ann"), "f".repeat(40), "take")).toBe(404);
});

test("a page has one stream: another one takes its place", async ({ run, session }) => {
  const first = await visit(run, session);
  await expect.poll(() => first.events.length).toBeGreaterThan(0);
  const second = await visit(run, session);
  await expect.poll(first.isOver).toBe(true);
  await expect.poll(() => second.events.length).toBeGreaterThan(0);
  expect(second.isOver()).toBe(false);
});

test("what is written to a person, and wishes for one, are limited as questions are", async () => {
  const { session: ofSession, context } = defaultEngineBudgets;
  const run = await runConsole({ engineBudgets: { session: { ...ofSession, turnsPerMinute: 3 }, context } });
  const lena = await owner(run);
  const session = await newConversation(run);
  await beHere(lena);
  expect(await send(lena, session, "take")).toBe(204);
  const body = { messages: [{ role: "user", content: "Hello?" }] };
  const write = async () => (await run.send("POST", `/api/v1/session/${session}/llm/v2/`, body)).text();
  for (const told of ["handover", "handover", "handover", "G0005"]) expect(await write()).toContain(told);
  expect(await want(run, session)).toBe(429);
});
