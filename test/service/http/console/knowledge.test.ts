import { describe, expect, onTestFinished } from "vitest";
import type {
  CheckedSuggestions,
  Knowledge,
  KnowledgeAnswer,
} from "../../../../src/protocol/console/knowledge.ts";
import { knowledgeFileMaxBytes } from "../../../../src/protocol/console/knowledge.ts";
import { filled, refusalOf, statusOf } from "../../answers.ts";
import { noRateLimits, type RunningService } from "../../service-fixture.ts";
import { useTextReader } from "../../use-text-reader.ts";
import {
  type Browser,
  jsonOf,
  origin,
  otherOrganization,
  owner,
  runConsole,
  test,
} from "./console-fixture.ts";
import { ask, newConversation } from "./visitor.ts";

const list = "/api/console/knowledge/";
const tester = "/api/console/knowledge-test/";
const text = "# Delivery\n\nWe deliver canary pianos to Croatia in nine days.";
const question = "Do you deliver canary pianos to Croatia?";

/** What a visitor is told who asks this first. */
const answerTo = async (run: RunningService): Promise<string> =>
  ask(run, await newConversation(run), question);

/** The documents that the organization added itself. */
const ownDocuments = async (browser: Browser): Promise<Knowledge[]> =>
  (await jsonOf<Knowledge[]>(browser.get(list))).filter((one) => !one.is_shared);

const add = (browser: Browser, fields: object = {}) =>
  browser.send("POST", list, { title: "Delivery", text, ...fields });
/** Adds a document to the demo avatar. */
const addToDemo = ({ demo }: RunningService, browser: Browser) =>
  jsonOf<Knowledge>(add(browser, { contexts: [demo.id] }));
const change = (browser: Browser, id: string, fields: object) =>
  browser.send("PUT", `${list}${id}/`, { title: "Delivery", ...fields });
const textOf = async (browser: Browser, id: string) =>
  (await jsonOf<{ text: string }>(browser.get(`${list}${id}/`))).text;

function upload(run: RunningService, { cookie }: Browser, name: string, content: string | Uint8Array) {
  const body = filled(new FormData(), { name, file: new File([new Uint8Array(Buffer.from(content))], name) });
  const headers = { Cookie: cookie, Origin: origin, "X-Requested-With": "fetch" };
  return run.request("/api/console/knowledge-files/", { method: "POST", headers, body });
}

describe("a document", () => {
  test("is made of a text for an avatar, which answers from it", async ({ run, browser }) => {
    const made = await addToDemo(run, browser);
    expect(made).toMatchObject({
      ...{ title: "Delivery", source: "text", state: "ready", passages: 1, characters: text.length },
      used_by: [{ id: run.demo.id, name: run.demo.name }],
    });
    expect(await answerTo(run)).toContain("nine days");
    expect(await ownDocuments(browser)).toEqual([made]);
    expect(await textOf(browser, made.id)).toBe(text);
  });

  test("has a title, a text and avatars that can be changed one by one", async ({ run, browser }) => {
    const { id } = await jsonOf<Knowledge>(add(browser));
    await jsonOf(change(browser, id, { contexts: [run.demo.id] }));
    const changed = { text: text.replace("nine", "eleven"), title: "Far delivery" };
    const used_by = [{ id: run.demo.id }];
    expect(await jsonOf(change(browser, id, changed))).toMatchObject({ title: "Far delivery", used_by });
    expect(await answerTo(run)).toContain("eleven days");
    await jsonOf(change(browser, id, { contexts: [] }));
    expect(await answerTo(run)).not.toContain("eleven days");
  });

  test("that somebody else has changed is refused with theirs, and does not change", async ({
    run,
    browser,
  }) => {
    const { id, updated_at } = await jsonOf<Knowledge>(add(browser));
    run.pass(1);
    await jsonOf(change(browser, id, { text: "Theirs.", updated_at }));
    const late = await change(browser, id, { text: "Mine.", updated_at });
    const conflict = { errors: [{ code: "conflict" }], current: { id, text: "Theirs." } };
    expect([late.status, await late.json()]).toMatchObject([409, conflict]);
    expect(await textOf(browser, id)).toBe("Theirs.");
    await jsonOf(change(browser, id, { text: "Mine." }));
    expect(await textOf(browser, id)).toBe("Mine.");
  });

  test("that is deleted can be restored with its avatars; after 30 s its text is gone", async ({
    run,
    browser,
  }) => {
    const made = await addToDemo(run, browser);
    const remove = () => statusOf(browser.send("DELETE", `${list}${made.id}/`));
    const restore = () => browser.send("POST", `${list}${made.id}/restore/`);
    expect(await remove()).toBe(204);
    expect(await ownDocuments(browser)).toEqual([]);
    expect(await answerTo(run)).not.toContain("nine days");
    expect(await jsonOf(restore())).toEqual(made);
    expect(await answerTo(run)).toContain("nine days");
    await remove();
    run.pass(31);
    await run.service.removeExpired();
    expect(await statusOf(restore())).toBe(404);
  });

  test.for([" ... ", "a".repeat(1_000_001)])(
    "is refused without words or with too many: %.5s",
    async (of, { browser }) => {
      expect((await refusalOf(add(browser, { text: of }))).join()).toMatch(/^400,text /);
    },
  );
});

describe("files", () => {
  const openReader = useTextReader();

  /** A service that can read files. */
  async function reading() {
    const run = await runConsole({}, { textReader: openReader() });
    onTestFinished(() => run.service.stop());
    return { run, browser: await owner(run) };
  }

  test("that are plain text, Markdown and HTML are read; of a page only what it says", async () => {
    const { run, browser } = await reading();
    const page =
      "<html><head><title>T</title><script>alert(1)</script></head><body><nav>Menu</nav><h2>Care</h2>" +
      "<p>Wipe <b>oak</b> dry &amp; oil it.</p><ul><li>Twice a year</li></ul><p hidden>Secret</p></body></html>";
    const made = await jsonOf<Knowledge>(upload(run, browser, "care.html", page));
    expect(made).toMatchObject({ title: "care.html", source: "file" });
    const said = "## Care\n\nWipe oak dry & oil it.\n\n- Twice a year";
    expect(await textOf(browser, made.id)).toBe(said);
    expect(await statusOf(upload(run, browser, "notes.MD", "# Notes\n\nOak is hard."))).toBe(201);
  });

  test("of another kind, without words or with other bytes than text are refused", async () => {
    const { run, browser } = await reading();
    for (const [name, bytes] of [
      ["picture.png", "png"],
      ["empty.html", "<p></p>"],
      ["binary.txt", new Uint8Array([0, 255, 254])],
    ] as const)
      expect((await refusalOf(upload(run, browser, name, bytes))).join(), name).toMatch(/^400,file /);
  });

  test("that are too large are refused before they are read", async ({ run, browser }) => {
    const huge = Buffer.alloc(knowledgeFileMaxBytes + 1, "a");
    expect((await refusalOf(upload(run, browser, "huge.txt", huge))).join()).toMatch(/^400,.* max_length$/);
  });
});

test("changes beyond the limit of a minute are refused, and say when to try again", async () => {
  const run = await runConsole({ rateLimits: { ...noRateLimits, key: { reads: 600, writes: 3 } } });
  const browser = await owner(run);
  for (const status of [201, 201, 201, 429]) expect(await statusOf(add(browser))).toBe(status);
  expect(Number((await add(browser)).headers.get("retry-after"))).toBeGreaterThan(0);
  run.pass(60);
  expect(await statusOf(add(browser))).toBe(201);
});

test("another organization sees, changes, restores and asks nothing of it", async ({ run, browser }) => {
  const { id } = await addToDemo(run, browser);
  const other = await otherOrganization(run);
  const listed = await jsonOf<Knowledge[]>(other("GET", list));
  expect(listed.map((one) => one.id)).not.toContain(id);
  const context = run.demo.id;
  for (const [method, path, body] of [
    ["GET", `${list}${id}/`],
    ["PUT", `${list}${id}/`, { title: "Mine" }],
    ["DELETE", `${list}${id}/`],
    ["POST", list, { title: "Mine", text, contexts: [context] }],
    ["POST", tester, { question, context }],
    ["GET", `/api/console/overview/?context=${context}`],
  ] as const)
    expect(await statusOf(other(method, path, body)), `${method} ${path}`).toBe(404);
  const named = jsonOf(other("POST", tester, { question, documents: [id] }));
  expect(await named).toEqual({ answer: null, passages: [] });
  await browser.send("DELETE", `${list}${id}/`);
  expect(await statusOf(other("POST", `${list}${id}/restore/`))).toBe(404);
});

test("the tester shows which passages answer, in which document, and what would be said", async ({
  run,
  browser,
}) => {
  const { id } = await addToDemo(run, browser);
  const tested = (body: object) => jsonOf<KnowledgeAnswer>(browser.send("POST", tester, body));
  const answer = "We deliver canary pianos to Croatia in nine days.";
  const document = { id, title: "Delivery" };
  const found = await tested({ question, context: run.demo.id });
  expect(found.answer).toBe(answer);
  expect(found.passages[0]).toEqual({ document, heading: "Delivery", text: answer, fit: "well", used: true });
  expect(await tested({ question: "Zyx qwv?", documents: [id] })).toEqual({ answer: null, passages: [] });
});

test("suggestions that the documents do not answer are told, and others are found that they answer", async ({
  run,
  browser,
}) => {
  const shop =
    "# Alder Home\n\n## Delivery\n\nWe deliver to Croatia in nine days.\n\n## Returns\n\nChairs may be sent back within 30 days.\n\n" +
    "## Do you repair chairs?\n\nYes, our workshop repairs all of our chairs.\n";
  const { id } = await jsonOf<Knowledge>(add(browser, { title: "Shop", text: shop }));
  const check = (texts: string[], documents = [id]) => {
    const body = { context: run.demo.id, documents, texts };
    return jsonOf<CheckedSuggestions>(browser.send("POST", "/api/console/knowledge-suggestions/", body));
  };
  const found = ["Delivery", "Do you repair chairs?"];
  const unanswered = ["Talk about quantum physics"];
  expect(await check(["Returns", ...unanswered])).toEqual({ unanswered, found });
  for (const each of found) expect((await check([each])).unanswered).toEqual([]);
  expect(await check(["Delivery"], ["nothing"])).toEqual({ unanswered: ["Delivery"], found: [] });
});
