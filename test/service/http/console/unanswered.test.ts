import { describe, expect } from "vitest";
import type { Overview } from "../../../../src/protocol/console/overview.ts";
import type { LlmStreamEvent } from "../../../../src/protocol/answers/llm-stream.ts";
import type { Taught, UnansweredGroup, UnansweredList } from "../../../../src/protocol/console/unanswered.ts";
import { statusOf } from "../../answers.ts";
import { jsonOf, otherOrganization, owner, runConsole, test, type Browser } from "./console-fixture.ts";
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
  const browser = await owner(run);
  const { groups } = await groupsOf(browser);
  const act = (group: { id: string }, action: string, body?: object) =>
    browser.send("POST", `${list}${group.id}/${action}/`, body);
  return {
    ...{ run, session, browser, groups, first: groups[0]!, act },
    teach: (group: UnansweredGroup, answer: string, more = {}) =>
      jsonOf<Taught>(act(group, "teach", { answer, ...more })),
    said: (question: string) => ask(run, session, question),
    counts: async () => (await groupsOf(browser)).counts,
  };
}

const wool = "Is the canary wool free of mulesing?";
const woolAgain = "is canary wool free of mulesing";
const croatia = "Do you deliver pianos to Croatia?";
const chair = "How much is the Birch chair?";
const answer = "Yes. All our wool comes from two farms that never practise it.";

describe("what counts as unanswered", () => {
  test("questions without an answer are grouped by what they mean, the most frequent first", async () => {
    const { browser, groups, first } = await runAsked(croatia, wool, woolAgain, chair);
    expect(groups).toMatchObject([
      { question: wool, asked: 2, state: "open", causes: ["no_answer"], answer: null },
      { question: croatia, asked: 1 },
    ]);
    expect(first.last_asked_at).toBe("2026-01-01T00:00:03.000Z");
    const counts = { open: 2, taught: 0, hidden: 0 };
    expect(await groupsOf(browser)).toMatchObject({ counts, without_words: 0 });
    for (const [query, questions] of [
      ["?order=newest", [wool, croatia]],
      ["?limit=1", [wool]],
      ["?limit=0", []],
    ] as const) {
      const page = await groupsOf(browser, query);
      expect([page.groups.map(({ question }) => question), page.counts]).toEqual([questions, counts]);
    }
  });

  test("a visitor's verdict that it did not help counts the last question, once", async () => {
    const { run, session, browser } = await runAsked(chair);
    for (const of of ["answer", "conversation"] as const) await rate(run, session, { of, value: "down" });
    const group = { question: chair, asked: 1, causes: ["did_not_help"] };
    expect((await groupsOf(browser)).groups).toMatchObject([group]);
  });

  test("a question whose model failed had no answer, also where the model broke off", async () => {
    const begun: LlmStreamEvent = { status: "success", type: "message", role: "assistant", content: "We" };
    let isThrown = false;
    const languageModel = () => ({
      // oxlint-disable-next-line typescript/require-await -- models answer asynchronously
      async *answer(): AsyncGenerator<LlmStreamEvent> {
        yield begun;
        if (isThrown) throw new Error("broken");
        yield { status: "error", reason: "Away." };
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

  const gone = { groups: [], without_words: 1 };

  test("where words are not kept, questions are counted and nothing else", async ({ run, browser }) => {
    await ask(run, await newConversation(run), wool);
    expect(await groupsOf(browser)).toMatchObject(gone);
    expect(await run.store.unanswered.list({ organizationId: run.organizationId }, 10)).toEqual([]);
  });

  test("the words go when they expire or when their conversation is deleted, and the count stays", async () => {
    const expired = await runAsked(wool);
    expired.run.pass(31 * daySec);
    await expired.run.service.removeExpired();
    expect(await groupsOf(await owner(expired.run))).toMatchObject(gone);
    const { browser, session } = await runAsked(wool);
    await browser.send("DELETE", `/api/console/conversations/${session}/`);
    expect((await groupsOf(browser)).groups).toEqual([]);
  });
});

describe("teaching", () => {
  test("the answer goes into a document of the avatar, and the same question then finds it", async () => {
    const { browser, first, teach, said, counts } = await runAsked(wool, woolAgain);
    const taught = await teach(first, answer);
    expect(taught).toMatchObject({ found: true, group: { state: "taught", asked: 2, answer } });
    expect([await said(wool), await said(woolAgain)]).toEqual([answer, answer]);
    expect(await counts()).toEqual({ open: 0, taught: 1, hidden: 0 });
    const text = await browser.get(`/api/v1/document/${taught.document.id}/file/`);
    expect(await text.text()).toContain(answer);
  });

  test("a second answer goes into the same document, and each can be taken back", async () => {
    const { run, browser, groups, act, teach, said, counts } = await runAsked(wool, croatia);
    const one = await teach(groups[0]!, "The first answer.");
    const other = await teach(groups[1]!, "The second answer.");
    expect(other.document.id).toBe(one.document.id);
    for (const { group } of [one, other]) expect(await statusOf(act(group, "restore"))).toBe(204);
    expect(await counts()).toEqual({ open: 2, taught: 0, hidden: 0 });
    expect(await said(wool)).toContain("I don't have an answer");
    const context = await run.store.contexts.byUuid(run.organizationId, run.demo.id);
    expect(context?.config.documents).toEqual([]);
    expect(await statusOf(browser.get(`/api/v1/document/${one.document.id}/file/`))).toBe(404);
  });

  test("an answer may be for some of the wordings; a changed one stays in its document", async () => {
    const { browser, first, act, teach } = await runAsked(wool, "Is moss wool canary free of mulesing?");
    expect(first.wordings).toHaveLength(2);
    const taught = await teach(first, answer, { wordings: [wool] });
    expect((await groupsOf(browser)).groups).toMatchObject([{ asked: 1 }]);
    expect(await statusOf(act(taught.group, "teach", { answer }))).toBe(404);
  });

  test("an answer with markup, headings and a rule for the avatar stays the text that it is", async () => {
    const { first, teach, said } = await runAsked("Can I put <b>canary</b> oil on the table?");
    const odd = "# Never use <script>alert(1)</script> on it.";
    expect((await teach(first, odd)).found).toBe(true);
    expect(await said("Can I put canary oil on the table?")).toBe(odd.slice(2));
  });

  test("a hidden question stays hidden when it is asked again, until it is restored", async () => {
    const { browser, first, act, said, counts } = await runAsked(wool);
    const hidden = await jsonOf<UnansweredGroup>(act(first, "hide"));
    await said(woolAgain);
    expect(await counts()).toEqual({ open: 0, taught: 0, hidden: 1 });
    const { groups } = await groupsOf(browser, "?state=hidden");
    expect(groups).toMatchObject([{ asked: 2, state: "hidden" }]);
    await act(hidden, "restore");
    expect(await counts()).toEqual({ open: 1, taught: 0, hidden: 0 });
  });

  test("a question that is not there, and an answer without words, are refused", async () => {
    const { first, act } = await runAsked(wool);
    expect(await statusOf(act({ id: "unknown" }, "teach", { answer }))).toBe(404);
    expect(await statusOf(act(first, "teach", { answer: " " }))).toBe(400);
  });
});

test("another organization sees, teaches, hides and restores none of the questions", async () => {
  const { run, browser, first } = await runAsked(croatia);
  const other = await otherOrganization(run);
  expect(await jsonOf(other("GET", list))).toMatchObject({ groups: [], without_words: 0 });
  expect(await jsonOf(other("GET", `${list}?context=${run.demo.id}`))).toMatchObject({ groups: [] });
  const taught = { answer: "Yes, in nine days.", wordings: [croatia] };
  for (const [action, body] of [["teach", taught], ["hide"], ["restore"]] as const)
    expect(await statusOf(other("POST", `${list}${first.id}/${action}/`, body)), action).toBe(404);
  expect((await groupsOf(browser)).groups).toMatchObject([{ question: croatia, state: "open" }]);
  const today = { conversations: 0, questions: 0, unanswered: 0 };
  expect(await jsonOf(other("GET", "/api/console/overview/"))).toMatchObject({ today });
});
