import { describe, expect, onTestFinished, test } from "vitest";
import type {
  CheckedSuggestions,
  Knowledge,
  KnowledgeAnswer,
  KnowledgeDetail,
} from "../../../../src/protocol/console/knowledge.ts";
import { knowledgeFileMaxBytes } from "../../../../src/protocol/console/knowledge.ts";
import { addOtherOrganization, type RunningService } from "../../service-fixture.ts";
import { useTextReader } from "../../use-text-reader.ts";
import { jsonOf, origin, owner, runConsole, type Browser } from "./console-fixture.ts";
import { ask, newConversation } from "./visitor.ts";

const list = "/api/console/knowledge/";
const text = "# Delivery\n\nWe deliver canary pianos to Croatia in nine days.";

/** What a visitor is told who begins with this question. */
const answerTo = async (run: RunningService, content: string): Promise<string> =>
  ask(run, await newConversation(run), content);

/** The documents that the organization added itself. */
const ownDocuments = async (browser: Browser): Promise<Knowledge[]> =>
  (await jsonOf<Knowledge[]>(browser.get(list))).filter((one) => !one.is_shared);

const question = "Do you deliver canary pianos to Croatia?";

function upload(run: RunningService, browser: Browser, name: string, content: string | Uint8Array) {
  const form = new FormData();
  form.set("name", name);
  form.set("file", new Blob([new Uint8Array(Buffer.from(content))]), name);
  const headers = { Cookie: browser.cookie, Origin: origin, "X-Requested-With": "fetch" };
  return run.request("/api/console/knowledge-files/", { method: "POST", headers, body: form });
}

describe("documents", () => {
  test("a text becomes a document of an avatar, which answers from it", async () => {
    const run = await runConsole();
    const browser = await owner(run);
    const made = await jsonOf<Knowledge>(
      browser.send("POST", list, { title: "Delivery", text, contexts: [run.demo.id] }),
    );
    expect(made).toMatchObject({
      title: "Delivery",
      source: "text",
      state: "ready",
      passages: 1,
      characters: text.length,
      used_by: [{ id: run.demo.id, name: run.demo.name }],
    });
    expect(await answerTo(run, question)).toContain("nine days");
    expect(await ownDocuments(browser)).toEqual([made]);
    expect((await jsonOf<KnowledgeDetail>(browser.get(`${list}${made.id}/`))).text).toBe(text);
  });

  test("its title, text and avatars can be changed one by one", async () => {
    const run = await runConsole();
    const browser = await owner(run);
    const { id } = await jsonOf<Knowledge>(browser.send("POST", list, { title: "Delivery", text }));
    await jsonOf(browser.send("PUT", `${list}${id}/`, { title: "Delivery", contexts: [run.demo.id] }));
    const changed = await jsonOf<Knowledge>(
      browser.send("PUT", `${list}${id}/`, { text: text.replace("nine", "eleven"), title: "Far delivery" }),
    );
    expect(changed).toMatchObject({ title: "Far delivery", used_by: [{ id: run.demo.id }] });
    expect(await answerTo(run, question)).toContain("eleven days");
    await jsonOf(browser.send("PUT", `${list}${id}/`, { title: "Delivery", contexts: [] }));
    expect(await answerTo(run, question)).not.toContain("eleven days");
  });

  test("a change of a document that somebody else has changed is refused with theirs, and changes nothing", async () => {
    const run = await runConsole();
    const browser = await owner(run);
    const { id, updated_at } = await jsonOf<Knowledge>(
      browser.send("POST", list, { title: "Delivery", text }),
    );
    run.pass(1);
    await jsonOf(browser.send("PUT", `${list}${id}/`, { title: "Delivery", text: "Theirs.", updated_at }));
    const late = await browser.send("PUT", `${list}${id}/`, { title: "Delivery", text: "Mine.", updated_at });
    expect(late.status).toBe(409);
    expect(await late.json()).toMatchObject({
      errors: [{ code: "conflict" }],
      current: { id, text: "Theirs." },
    });
    expect((await jsonOf<KnowledgeDetail>(browser.get(`${list}${id}/`))).text).toBe("Theirs.");
    await jsonOf(browser.send("PUT", `${list}${id}/`, { title: "Delivery", text: "Mine." }));
    expect((await jsonOf<KnowledgeDetail>(browser.get(`${list}${id}/`))).text).toBe("Mine.");
  });

  test("a deleted document can be restored with its avatars; after 30 s its text is gone", async () => {
    const run = await runConsole();
    const browser = await owner(run);
    const made = await jsonOf<Knowledge>(
      browser.send("POST", list, { title: "Delivery", text, contexts: [run.demo.id] }),
    );
    const one = `${list}${made.id}/`;
    expect((await browser.send("DELETE", one)).status).toBe(204);
    expect(await ownDocuments(browser)).toEqual([]);
    expect(await answerTo(run, question)).not.toContain("nine days");
    expect(await jsonOf<Knowledge>(browser.send("POST", `${one}restore/`))).toEqual(made);
    expect(await answerTo(run, question)).toContain("nine days");
    await browser.send("DELETE", one);
    run.pass(31);
    await run.service.removeExpired();
    expect((await browser.send("POST", `${one}restore/`)).status).toBe(404);
  });

  test("a text without words and one that is too long are refused, and the field is named", async () => {
    const browser = await owner(await runConsole());
    for (const refused of [" ... ", "a".repeat(1_000_001)]) {
      const answer = await browser.send("POST", list, { title: "No", text: refused });
      expect([answer.status, JSON.stringify(await answer.json())]).toEqual([
        400,
        expect.stringContaining('"text"'),
      ]);
    }
  });
});

describe("files", () => {
  const openReader = useTextReader();

  /** A service that can read files. */
  async function runReading(): Promise<RunningService> {
    const run = await runConsole({}, { textReader: openReader() });
    onTestFinished(() => run.service.stop());
    return run;
  }

  test("plain text, Markdown and HTML are read; of a page only what it says", async () => {
    const run = await runReading();
    const browser = await owner(run);
    const page =
      "<html><head><title>T</title><script>alert(1)</script></head><body><nav>Menu</nav><h2>Care</h2>" +
      "<p>Wipe <b>oak</b> dry &amp; oil it.</p><ul><li>Twice a year</li></ul><p hidden>Secret</p></body></html>";
    const made = await jsonOf<Knowledge>(upload(run, browser, "care.html", page));
    expect(made).toMatchObject({ title: "care.html", source: "file" });
    expect((await jsonOf<KnowledgeDetail>(browser.get(`${list}${made.id}/`))).text).toBe(
      "## Care\n\nWipe oak dry & oil it.\n\n- Twice a year",
    );
    expect((await upload(run, browser, "notes.MD", "# Notes\n\nOak is hard.")).status).toBe(201);
  });

  test("files of another kind, without words or with other bytes than text are refused", async () => {
    const run = await runReading();
    const browser = await owner(run);
    for (const [name, bytes] of [
      ["picture.png", "png"],
      ["empty.html", "<p></p>"],
      ["binary.txt", new Uint8Array([0, 255, 254])],
    ] as const) {
      const answer = await upload(run, browser, name, bytes);
      expect([name, answer.status, JSON.stringify(await answer.json())]).toEqual([
        name,
        400,
        expect.stringContaining('"file"'),
      ]);
    }
  });
});

test("a file that is too large is refused before it is read, and names the field", async () => {
  const run = await runConsole();
  const browser = await owner(run);
  const answer = await upload(run, browser, "huge.txt", Buffer.alloc(knowledgeFileMaxBytes + 1, "a"));
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ errors: [{ code: "max_length" }] });
});

test("changes beyond the limit of a minute are refused, and say when to try again", async () => {
  const plenty = { reads: 600, writes: 600 };
  const run = await runConsole({
    rateLimits: { key: { reads: 600, writes: 3 }, session: plenty, address: plenty, loginsPerMinute: 10 },
  });
  const browser = await owner(run);
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 4; attempt++)
    statuses.push((await browser.send("POST", list, { title: `T ${attempt}`, text })).status);
  expect(statuses).toEqual([201, 201, 201, 429]);
  const refused = await browser.send("POST", list, { title: "Late", text });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  run.pass(60);
  expect((await browser.send("POST", list, { title: "Late", text })).status).toBe(201);
});

test("another organization sees, changes, restores and asks nothing of it", async () => {
  const run = await runConsole();
  const browser = await owner(run);
  const { id } = await jsonOf<Knowledge>(
    browser.send("POST", list, { title: "Delivery", text, contexts: [run.demo.id] }),
  );
  const otherKey = "vv_other_organization_key";
  await addOtherOrganization(run, otherKey);
  const other = (method: string, path: string, body?: unknown): Promise<Response> =>
    run.request(path, {
      method,
      headers: { "ServicePlatform-APIKey": otherKey, "Content-Type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const listed = (await (await other("GET", list)).json()) as Knowledge[];
  expect(listed.filter((one) => one.id === id)).toEqual([]);
  expect((await other("GET", `${list}${id}/`)).status).toBe(404);
  expect((await other("PUT", `${list}${id}/`, { title: "Mine" })).status).toBe(404);
  expect((await other("DELETE", `${list}${id}/`)).status).toBe(404);
  expect((await other("POST", list, { title: "Mine", text, contexts: [run.demo.id] })).status).toBe(404);
  const asked = { question, context: run.demo.id };
  expect((await other("POST", "/api/console/knowledge-test/", asked)).status).toBe(404);
  const named = (await (
    await other("POST", "/api/console/knowledge-test/", { question, documents: [id] })
  ).json()) as KnowledgeAnswer;
  expect(named).toEqual({ answer: null, passages: [] });
  await browser.send("DELETE", `${list}${id}/`);
  expect((await other("POST", `${list}${id}/restore/`)).status).toBe(404);
  expect((await other("GET", `/api/console/overview/?context=${run.demo.id}`)).status).toBe(404);
});

test("the tester shows which passages answer, in which document, and what would be said", async () => {
  const run = await runConsole();
  const browser = await owner(run);
  const { id } = await jsonOf<Knowledge>(
    browser.send("POST", list, { title: "Delivery", text, contexts: [run.demo.id] }),
  );
  const tested = await jsonOf<KnowledgeAnswer>(
    browser.send("POST", "/api/console/knowledge-test/", { question, context: run.demo.id }),
  );
  expect(tested.answer).toBe("We deliver canary pianos to Croatia in nine days.");
  expect(tested.passages[0]).toEqual({
    document: { id, title: "Delivery" },
    heading: "Delivery",
    text: "We deliver canary pianos to Croatia in nine days.",
    fit: "well",
    used: true,
  });
  const nothing = await jsonOf<KnowledgeAnswer>(
    browser.send("POST", "/api/console/knowledge-test/", { question: "Zyx qwv?", documents: [id] }),
  );
  expect(nothing).toEqual({ answer: null, passages: [] });
});

describe("suggestions", () => {
  const shop =
    "# Alder Home\n\n## Delivery\n\nWe deliver to Croatia in nine days.\n\n## Returns\n\nChairs may be sent back within 30 days.\n\n" +
    "## Do you repair chairs?\n\nYes, our workshop repairs all of our chairs.\n";
  const check = (browser: Browser, body: unknown) =>
    jsonOf<CheckedSuggestions>(browser.send("POST", "/api/console/knowledge-suggestions/", body));

  test("those that the documents do not answer are told, and others are found that they answer", async () => {
    const run = await runConsole();
    const browser = await owner(run);
    const { id } = await jsonOf<Knowledge>(browser.send("POST", list, { title: "Shop", text: shop }));
    const texts = ["Returns", "Talk about quantum physics"];
    const { unanswered, found } = await check(browser, { context: run.demo.id, documents: [id], texts });
    expect(unanswered).toEqual(["Talk about quantum physics"]);
    expect(found).toEqual(["Delivery", "Do you repair chairs?"]);
    for (const text of found)
      expect(
        (await check(browser, { context: run.demo.id, documents: [id], texts: [text] })).unanswered,
      ).toEqual([]);
  });

  test("without documents nothing is found", async () => {
    const run = await runConsole();
    const browser = await owner(run);
    const body = { context: run.demo.id, documents: ["nothing"], texts: ["Delivery"] };
    expect(await check(browser, body)).toEqual({ unanswered: ["Delivery"], found: [] });
  });
});
