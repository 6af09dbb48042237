import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Knowledge, KnowledgeDetail } from "../../../../src/protocol/console/knowledge.ts";
import type { Website } from "../../../../src/protocol/console/websites.ts";
import type { Unread } from "../../../../src/service/administration/knowledge/reading/reading-jobs.ts";
import type { TextReader } from "../../../../src/service/administration/knowledge/reading/text-reader.ts";
import { page, serveWebsite, status } from "../../administration/knowledge/website-server.ts";
import { refusalOf, statusOf } from "../../answers.ts";
import { useTextReader } from "../../use-text-reader.ts";
import { jsonOf, otherOrganization, owner, runConsole, type Browser } from "./console-fixture.ts";

const list = "/api/console/websites/";
const documents = "/api/console/knowledge/";
const home = page("Alder Home", `<p>Furniture from Vienna.</p><nav><a href="/delivery">Delivery</a></nav>`);
const delivery = (days: string): string =>
  page("Delivery", `<p>We deliver canary pianos to Croatia in ${days} days.</p>`);
const shop = { "/": home, "/delivery": delivery("nine") };

const openReader = useTextReader();
let reader: TextReader;

beforeAll(() => void (reader = openReader()));
afterAll(() => reader.close());

/** The website when nobody reads it any more. */
async function settled(browser: Browser, id: string): Promise<Website> {
  return vi.waitFor(async () => {
    const found = (await jsonOf<Website[]>(browser.get(list))).find((one) => one.id === id);
    expect(["ready", "failed", "stopped"]).toContain(found?.state);
    return found!;
  });
}

/** A service whose owner has added a website with these pages, for the avatar that answers visitors. */
async function reading(pages: Parameters<typeof serveWebsite>[0], order: object = {}) {
  // A service that stops closes its reader, which is the next test's too.
  const run = await runConsole({}, { textReader: { ...reader, close: () => Promise.resolve() } });
  onTestFinished(() => run.service.stop());
  const browser = await owner(run);
  const site = await serveWebsite({ ...pages });
  const body = { address: site.origin, contexts: [run.demo.id], ...order };
  const added = await jsonOf<Website>(browser.send("POST", list, body));
  const { id } = added;
  return {
    ...{ run, browser, site, added, id },
    websites: () => jsonOf<Website[]>(browser.get(list)),
    settled: () => settled(browser, id),
    act: (action: string, fields?: object) => browser.send("POST", `${list}${id}/${action}/`, fields),
    change: (fields: object) => jsonOf<Website>(browser.send("PUT", `${list}${id}/`, fields)),
    async said(): Promise<string> {
      const session = await run.newSession({ extra_data: { context_id: "ctx_demo" } });
      const messages = [{ role: "user", content: "Do you deliver canary pianos to Croatia?" }];
      return (await run.send("POST", `/api/v1/session/${session}/llm/v2/`, { messages, tools: [] })).text();
    },
    text: async (by = browser) => (await jsonOf<KnowledgeDetail>(by.get(`${documents}${id}/`))).text,
  };
}

/** The same when it is read. */
async function hasRead(pages: Parameters<typeof serveWebsite>[0], order: object = {}) {
  const begun = await reading(pages, order);
  const read = await begun.settled();
  expect(read).toMatchObject({ state: "ready", problem: null });
  return { ...begun, read };
}

const excluded = { path: "/delivery", left_out: "excluded" };

test("a page is left out at once, and stays out when the website is read again", async () => {
  const { act, text, said, settled: again, read } = await hasRead(shop);
  expect(read.report.pages).toMatchObject([{ path: "/" }, { path: "/delivery", left_out: null }]);
  expect(await said()).toContain("nine days");
  const left = await jsonOf<Website>(act("leave-out", { path: "/delivery" }));
  expect(left).toMatchObject({ exclude: ["/delivery$"], state: "ready" });
  expect(left.report.pages).toMatchObject([{ left_out: null }, excluded]);
  expect(await text()).toBe("# Alder Home\n\nFurniture from Vienna.");
  expect(await said()).not.toContain("nine days");
  expect(await statusOf(act("leave-out", { path: "/delivery" }))).toBe(404);
  await act("read");
  expect((await again()).report.pages.at(-1)).toMatchObject(excluded);
});

test("a website whose wanted paths change is read again", async () => {
  const { change, settled: again } = await hasRead(shop);
  const wanted = { every: "never", include: ["/delivery"], exclude: [] };
  expect(await change(wanted)).toMatchObject(wanted);
  const { report } = await again();
  expect(report.pages).toMatchObject([{ left_out: "excluded" }, { path: "/delivery", left_out: null }]);
});

test("a service that stops does not wait for a page that takes long to read, and leaves the website to the next one", async () => {
  let end = (): void => undefined;
  let hasBegun = false;
  // A thread with a text that never ends.
  const read = () => {
    hasBegun = true;
    return new Promise<Unread>((resolve) => (end = () => resolve({ problem: "It ends.", isStopped: false })));
  };
  const close = () => Promise.resolve().then(end);
  const run = await runConsole({}, { textReader: { read, close } });
  const site = await serveWebsite({ "/robots.txt": "User-agent: *\nAllow: /\n", "/": home });
  const added = (await owner(run)).send("POST", list, { address: site.origin });
  const { id } = await jsonOf<Website>(added);
  await vi.waitUntil(() => hasBegun);
  await run.service.stop();
  const left = { state: "waiting", attempts: 0 };
  expect(await run.store.websites.find(run.organizationId, id)).toMatchObject(left);
});

describe("a website", () => {
  test("becomes a document of an avatar, and says what was read and what was left out", async () => {
    const { run, browser, site, added, id, read, said } = await hasRead(shop);
    expect(added).toMatchObject({ state: "waiting", every: "never", has_document: false });
    expect(read).toMatchObject({
      ...{ state: "ready", problem: null, has_document: true, next_at: null },
      report: { reading: null, waiting: 0, beyond: 0 },
    });
    const pages = ["/", "/delivery"].map((path) => ({ path, left_out: null, passages: 1 }));
    expect(read.report.pages).toEqual(pages);
    const document = (await jsonOf<Knowledge[]>(browser.get(documents))).find((one) => one.id === id);
    const title = new URL(site.origin).host;
    expect(document).toMatchObject({ source: "website", title, used_by: [{ id: run.demo.id }] });
    expect(await said()).toContain("nine days");
  });

  test("is read again on demand, with what is new there", async () => {
    const { site, act, settled: again, said } = await hasRead(shop);
    site.answers["/delivery"] = delivery("eleven");
    await jsonOf(act("read"));
    await again();
    expect(await said()).toContain("eleven days");
  });

  test("is read again by its schedule, in the night", async () => {
    const { run, site, id, read, text } = await hasRead({ "/": home }, { every: "day" });
    const hour = new Date(read.next_at!).getHours();
    expect(hour).toBeGreaterThanOrEqual(2);
    expect(hour).toBeLessThan(5);
    site.answers["/"] = page("New", "<p>Everything is new.</p>");
    run.pass(2 * 24 * 60 * 60);
    // The session of the first browser has ended since.
    const later = await owner(run);
    // Somebody else's website wakes the reader, which then finds both.
    await later.send("POST", list, { address: "http://127.0.0.1:1/" });
    await vi.waitFor(async () => expect(await text(later)).toContain("Everything is new."));
    const changed = later.send("PUT", `${list}${id}/`, { every: "never" });
    expect((await jsonOf<Website>(changed)).next_at).toBeNull();
  });

  test("that fails keeps the text of before, and says why", async () => {
    const { site, act, settled: again, said } = await hasRead(shop);
    site.answers["/"] = status(500);
    await jsonOf(act("read"));
    expect(await again()).toMatchObject({ state: "failed", problem: "server_error" });
    expect(await said()).toContain("nine days");
  });

  test("that two processes have ended with is not read a third time, nor in the next night", async () => {
    const { run, browser, site, id, settled: again, said } = await hasRead(shop, { every: "day" });
    const { websites } = run.store;
    await websites.order(run.organizationId, id, run.nowMs());
    for (const process of ["first", "second"]) {
      expect(await websites.take(process, run.nowMs(), run.nowMs() + 90_000)).toMatchObject({ id });
      // It ends without a word.
      run.pass(91);
    }
    site.answers["/delivery"] = delivery("eleven");
    // Somebody else's website wakes the reader, which then finds both.
    await browser.send("POST", list, { address: "http://127.0.0.1:1/" });
    const given = { state: "failed", problem: "too_complex", next_at: null, has_document: true };
    expect(await again()).toMatchObject(given);
    expect(await said()).toContain("nine days");
  });

  test("is stopped while it is read", async () => {
    let answer = (): void => undefined;
    const {
      run,
      site,
      act,
      settled: again,
    } = await reading({
      "/": home,
      "/delivery": (response) => {
        answer = () => status(200, delivery("nine"))(response);
      },
    });
    await vi.waitFor(() => expect(site.asked).toContain("/delivery"));
    expect(await jsonOf(act("stop"))).toMatchObject({ state: "stopped" });
    answer();
    await run.service.stop();
    expect(await again()).toMatchObject({ state: "stopped", has_document: false });
  });

  test("is deleted with its document, and restored with it for 30 s", async () => {
    const { run, browser, id, websites } = await hasRead({ "/": home });
    expect(await statusOf(browser.send("DELETE", `${list}${id}/`))).toBe(204);
    expect(await websites()).toEqual([]);
    await jsonOf(browser.send("POST", `${documents}${id}/restore/`));
    expect(await websites()).toMatchObject([{ id }]);
    await browser.send("DELETE", `${documents}${id}/`);
    run.pass(31);
    await run.service.removeExpired();
    expect(await run.store.websites.find(run.organizationId, id)).toBeNull();
  });

  test("is refused where the address is none, or is in the list already", async () => {
    const { browser, site } = await reading({ "/": home });
    for (const address of [site.origin, "ftp://alder.example", "https://a:b@alder.example"]) {
      const refused = await refusalOf(browser.send("POST", list, { address }));
      expect(refused.join(), address).toMatch(/^400,address /);
    }
  });

  test("has a text that is changed there, not here", async () => {
    const { browser, id } = await hasRead({ "/": home });
    const change = (fields: object) => browser.send("PUT", `${documents}${id}/`, fields);
    const answer = await change({ title: "Mine", text: "Mine." });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining("Change it there")]);
    await jsonOf(change({ title: "Our website" }));
  });
});

test("another organization sees and changes none of them", async () => {
  const { run, site, id, websites } = await hasRead({ "/": home });
  const other = await otherOrganization(run);
  expect(await jsonOf(other("GET", list))).toEqual([]);
  for (const [method, path, body] of [
    ["PUT", `${list}${id}/`, { every: "day" }],
    ["POST", `${list}${id}/read/`],
    ["POST", `${list}${id}/stop/`],
    ["DELETE", `${list}${id}/`],
    ["POST", list, { address: "https://shop.example", contexts: [run.demo.id] }],
  ] as const)
    expect(await statusOf(other(method, path, body)), `${method} ${path}`).toBe(404);
  const asked = site.asked.length;
  // In a private network. The organization that runs the service may add it, as it did above.
  expect(await statusOf(other("POST", list, { address: site.origin }))).toBe(400);
  expect(site.asked).toHaveLength(asked);
  expect(await websites()).toHaveLength(1);
});
