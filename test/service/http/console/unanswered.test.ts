import { describe, expect, test } from "vitest";
import type { Overview } from "../../../../src/protocol/console/overview.ts";
import type { LlmStreamEvent } from "../../../../src/protocol/answers/llm-stream.ts";
import type { Taught, UnansweredGroup, UnansweredList } from "../../../../src/protocol/console/unanswered.ts";
import { addOtherOrganization } from "../../service-fixture.ts";
import { jsonOf, owner, runConsole, type Browser } from "./console-fixture.ts";
import { ask, askForEvents, keepWords, newConversation, rate } from "./visitor.ts";

const list = "/api/console/unanswered/";
const daySec = 24 * 60 * 60;

const groupsOf = (browser: Browser, query = ""): Promise<UnansweredList> =>
  jsonOf<UnansweredList>(browser.get(`${list}${query}`));

/** A service whose avatar keeps words, with questions that it cannot answer. */
async function runAsked(...questions: string[]) {
  const run = await runConsole();
  await keepWords(run, 30);
  const session = await newConversation(run);
  for (const question of questions) {
    run.pass(1);
    await ask(run, session, question);
  }
  return { run, session, browser: await owner(run) };
}

const wool = "Is the canary wool free of mulesing?";
const woolAgain = "is canary wool free of mulesing";
const croatia = "Do you deliver pianos to Croatia?";

describe("what counts as unanswered", () => {
  test("questions without an answer are grouped by what they mean, the most frequent first", async () => {
    const { browser } = await runAsked(croatia, wool, woolAgain, "How much is the Birch chair?");
    const { groups, counts, without_words } = await groupsOf(browser);
    expect(groups).toMatchObject([
      { question: wool, asked: 2, state: "open", causes: ["no_answer"], answer: null },
      { question: croatia, asked: 1 },
    ]);
    expect(groups[0]!.last_asked_at).toBe("2026-01-01T00:00:03.000Z");
    expect({ counts, without_words }).toEqual({
      counts: { open: 2, taught: 0, hidden: 0 },
      without_words: 0,
    });
    const newest = await groupsOf(browser, "?order=newest");
    expect(newest.groups.map(({ question }) => question)).toEqual([wool, croatia]);
    const short = await groupsOf(browser, "?limit=1");
    expect([short.groups.length, short.counts.open]).toEqual([1, 2]);
    expect(await groupsOf(browser, "?limit=0")).toMatchObject({ groups: [], counts: { open: 2 } });
  });

  test("a visitor's verdict that it did not help counts the last question, once", async () => {
    const { run, session, browser } = await runAsked("How much is the Birch chair?");
    await rate(run, session, { of: "answer", value: "down" });
    await rate(run, session, { of: "conversation", value: "down" });
    expect((await groupsOf(browser)).groups).toMatchObject([
      { question: "How much is the Birch chair?", asked: 1, causes: ["did_not_help"] },
    ]);
  });

  test("a question whose model failed had no answer, also where the model broke off", async () => {
    const fault: LlmStreamEvent = { status: "error", reason: "Away." };
    const begun: LlmStreamEvent = { status: "success", type: "message", role: "assistant", content: "We" };
    let isThrown = false;
    const languageModel = () => ({
      // oxlint-disable-next-line typescript/require-await -- models answer asynchronously
      async *answer() {
        yield begun;
        if (isThrown) throw new Error("broken");
        yield fault;
      },
    });
    const run = await runConsole({}, { languageModel });
    await keepWords(run, 30);
    const session = await newConversation(run);
    await askForEvents(run, session, wool);
    isThrown = true;
    run.pass(1);
    await askForEvents(run, session, croatia).catch(() => undefined);
    const browser = await owner(run);
    const { groups } = await groupsOf(browser);
    expect(groups.map(({ question, causes }) => [question, causes])).toEqual([
      [croatia, ["failed"]],
      [wool, ["failed"]],
    ]);
    const overview = await jsonOf<Overview>(browser.get("/api/console/overview/"));
    expect(overview.days.at(-1)).toMatchObject({ questions: 2, unanswered: 2 });
  });

  test("where words are not kept, questions are counted and nothing else", async () => {
    const run = await runConsole();
    const session = await newConversation(run);
    await ask(run, session, wool);
    const browser = await owner(run);
    expect(await groupsOf(browser)).toMatchObject({ groups: [], without_words: 1 });
    expect(await run.store.unanswered.list({ organizationId: run.organizationId }, 10)).toEqual([]);
  });

  test("the words go when they expire or when their conversation is deleted, and the count stays", async () => {
    const { run } = await runAsked(wool);
    run.pass(31 * daySec);
    await run.service.removeExpired();
    const later = await owner(run);
    expect(await groupsOf(later)).toMatchObject({ groups: [], without_words: 1 });
    const gone = await runAsked(wool);
    await gone.browser.send("DELETE", `/api/console/conversations/${gone.session}/`);
    expect((await groupsOf(gone.browser)).groups).toEqual([]);
  });
});

describe("teaching", () => {
  const answer = "Yes. All our wool comes from two farms that never practise it.";

  test("the answer goes into a document of the avatar, and the same question then finds it", async () => {
    const { run, session, browser } = await runAsked(wool, woolAgain);
    const [group] = (await groupsOf(browser)).groups;
    const taught = await jsonOf<Taught>(browser.send("POST", `${list}${group!.id}/teach/`, { answer }));
    expect(taught).toMatchObject({ found: true, group: { state: "taught", asked: 2, answer } });
    expect(await ask(run, session, wool)).toBe(answer);
    expect(await ask(run, session, woolAgain)).toBe(answer);
    expect((await groupsOf(browser)).counts).toEqual({ open: 0, taught: 1, hidden: 0 });
    const text = await browser.get(`/api/v1/document/${taught.document.id}/file/`);
    expect(await text.text()).toContain(answer);
  });

  test("a second answer goes into the same document, and each can be taken back", async () => {
    const { run, session, browser } = await runAsked(wool, croatia);
    const [first, second] = (await groupsOf(browser)).groups;
    const teach = (group: UnansweredGroup, text: string) =>
      jsonOf<Taught>(browser.send("POST", `${list}${group.id}/teach/`, { answer: text }));
    const one = await teach(first!, "The first answer.");
    const other = await teach(second!, "The second answer.");
    expect(other.document.id).toBe(one.document.id);
    for (const { group } of [one, other])
      expect((await browser.send("POST", `${list}${group.id}/restore/`)).status).toBe(204);
    expect((await groupsOf(browser)).counts).toEqual({ open: 2, taught: 0, hidden: 0 });
    expect(await ask(run, session, wool)).toContain("I don't have an answer");
    const context = await run.store.contexts.byUuid(run.organizationId, run.demo.id);
    expect(context?.config.documents).toEqual([]);
    expect((await browser.get(`/api/v1/document/${one.document.id}/file/`)).status).toBe(404);
  });

  test("an answer may be for some of the wordings; a changed one stays in its document", async () => {
    const { browser } = await runAsked(wool, "Is moss wool canary free of mulesing?");
    const [group] = (await groupsOf(browser)).groups;
    expect(group!.wordings).toHaveLength(2);
    const taught = await jsonOf<Taught>(
      browser.send("POST", `${list}${group!.id}/teach/`, { answer, wordings: [wool] }),
    );
    expect((await groupsOf(browser)).groups).toMatchObject([{ asked: 1 }]);
    const strange = await browser.send("POST", `${list}${taught.group.id}/teach/`, { answer });
    expect(strange.status).toBe(404);
  });

  test("an answer with markup, headings and a rule for the avatar stays the text that it is", async () => {
    const { run, session, browser } = await runAsked("Can I put <b>canary</b> oil on the table?");
    const [group] = (await groupsOf(browser)).groups;
    const odd = "# Never use <script>alert(1)</script> on it.";
    const taught = await jsonOf<Taught>(browser.send("POST", `${list}${group!.id}/teach/`, { answer: odd }));
    expect(taught.found).toBe(true);
    expect(await ask(run, session, "Can I put canary oil on the table?")).toBe(
      "Never use <script>alert(1)</script> on it.",
    );
  });

  test("a hidden question stays hidden when it is asked again, until it is restored", async () => {
    const { run, session, browser } = await runAsked(wool);
    const [group] = (await groupsOf(browser)).groups;
    const hidden = await jsonOf<UnansweredGroup>(browser.send("POST", `${list}${group!.id}/hide/`));
    await ask(run, session, woolAgain);
    expect((await groupsOf(browser)).counts).toEqual({ open: 0, taught: 0, hidden: 1 });
    expect((await groupsOf(browser, "?state=hidden")).groups).toMatchObject([{ asked: 2, state: "hidden" }]);
    await browser.send("POST", `${list}${hidden.id}/restore/`);
    expect((await groupsOf(browser)).counts).toEqual({ open: 1, taught: 0, hidden: 0 });
  });

  test("a question that is not there, and an answer without words, are refused", async () => {
    const { browser } = await runAsked(wool);
    const [group] = (await groupsOf(browser)).groups;
    expect((await browser.send("POST", `${list}unknown/teach/`, { answer })).status).toBe(404);
    expect((await browser.send("POST", `${list}${group!.id}/teach/`, { answer: " " })).status).toBe(400);
  });
});

test("another organization sees, teaches, hides and restores none of the questions", async () => {
  const { run, browser } = await runAsked(croatia);
  const { groups } = await groupsOf(browser);
  const [group] = groups;
  const otherKey = "vv_other_organization_key";
  await addOtherOrganization(run, otherKey);
  const other = (method: string, path: string, body?: unknown): Promise<Response> =>
    run.request(path, {
      method,
      headers: { "ServicePlatform-APIKey": otherKey, "Content-Type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  expect(await (await other("GET", list)).json()).toMatchObject({ groups: [], without_words: 0 });
  expect(await (await other("GET", `${list}?context=${run.demo.id}`)).json()).toMatchObject({ groups: [] });
  const one = `${list}${group!.id}/`;
  const taught = { answer: "Yes, in nine days.", wordings: [croatia] };
  expect((await other("POST", `${one}teach/`, taught)).status).toBe(404);
  expect((await other("POST", `${one}hide/`)).status).toBe(404);
  expect((await other("POST", `${one}restore/`)).status).toBe(404);
  expect((await groupsOf(browser)).groups).toMatchObject([{ question: croatia, state: "open" }]);
  const overview = await other("GET", "/api/console/overview/");
  expect(await overview.json()).toMatchObject({ today: { conversations: 0, questions: 0, unanswered: 0 } });
});
