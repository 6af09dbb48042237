import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Knowledge, KnowledgeDetail } from "../../../../src/protocol/console/knowledge.ts";
import type { Website } from "../../../../src/protocol/console/websites.ts";
import { page, serveWebsite, status } from "../../administration/knowledge/website-server.ts";
import type { Unread } from "../../../../src/service/administration/knowledge/reading/reading-jobs.ts";
import type { TextReader } from "../../../../src/service/administration/knowledge/reading/text-reader.ts";
import { useTextReader } from "../../use-text-reader.ts";
import { addOtherOrganization, type RunningService } from "../../service-fixture.ts";
import { jsonOf, owner, runConsole, type Browser } from "./console-fixture.ts";

const list = "/api/console/websites/";
const documents = "/api/console/knowledge/";
const question = "Do you deliver canary pianos to Croatia?";
const home = page("Alder Home", `<p>Furniture from Vienna.</p><nav><a href="/delivery">Delivery</a></nav>`);
const delivery = (days: string): string =>
  page("Delivery", `<p>We deliver canary pianos to Croatia in ${days} days.</p>`);

const openReader = useTextReader();
let reader: TextReader;

beforeAll(() => void (reader = openReader()));
afterAll(() => reader.close());

async function run(): Promise<RunningService> {
  // A service that stops closes its reader, which is the next test's too.
  const running = await runConsole({}, { textReader: { ...reader, close: () => Promise.resolve() } });
  onTestFinished(() => running.service.stop());
  return running;
}

const websites = (browser: Browser): Promise<Website[]> => jsonOf<Website[]>(browser.get(list));

/** The website when nobody reads it any more. */
async function settled(browser: Browser, id: string): Promise<Website> {
  return vi.waitFor(async () => {
    const found = (await websites(browser)).find((one) => one.id === id);
    expect(["ready", "failed", "stopped"]).toContain(found?.state);
    return found!;
  });
}

/** A service whose owner has read a website with these pages, for the avatar that answers visitors. */
async function reading(pages: Parameters<typeof serveWebsite>[0], order: object = {}) {
  const running = await run();
  const browser = await owner(running);
  const site = await serveWebsite(pages);
  const body = { address: site.origin, contexts: [running.demo.id], ...order };
  const { id } = await jsonOf<Website>(browser.send("POST", list, body));
  return { running, browser, site, id };
}

/** The same when it is read. */
async function hasRead(pages: Parameters<typeof serveWebsite>[0], order: object = {}) {
  const begun = await reading(pages, order);
  return { ...begun, read: await settled(begun.browser, begun.id) };
}

async function ask(running: RunningService): Promise<string> {
  const session = await running.newSession({ extra_data: { context_id: "ctx_demo" } });
  const messages = [{ role: "user", content: question }];
  return (await running.send("POST", `/api/v1/session/${session}/llm/v2/`, { messages, tools: [] })).text();
}

test("a page is left out at once, and stays out when the website is read again", async () => {
  const { running, browser, id, read } = await hasRead({ "/": home, "/delivery": delivery("nine") });
  expect(read.report.pages).toMatchObject([{ path: "/" }, { path: "/delivery", left_out: null }]);
  expect(await ask(running)).toContain("nine days");
  const path = `${list}${id}/leave-out/`;
  const left = await jsonOf<Website>(browser.send("POST", path, { path: "/delivery" }));
  expect(left).toMatchObject({ exclude: ["/delivery$"], state: "ready" });
  expect(left.report.pages).toMatchObject([{ left_out: null }, { path: "/delivery", left_out: "excluded" }]);
  expect((await jsonOf<KnowledgeDetail>(browser.get(`${documents}${id}/`))).text).toBe(
    "# Alder Home\n\nFurniture from Vienna.",
  );
  expect(await ask(running)).not.toContain("nine days");
  expect((await browser.send("POST", path, { path: "/delivery" })).status).toBe(404);
  await browser.send("POST", `${list}${id}/read/`);
  expect((await settled(browser, id)).report.pages.at(-1)).toMatchObject({ left_out: "excluded" });
});

test("a website whose wanted paths change is read again", async () => {
  const { browser, id } = await hasRead({ "/": home, "/delivery": delivery("nine") });
  const change = { every: "never", include: ["/delivery"], exclude: [] };
  expect(await jsonOf<Website>(browser.send("PUT", `${list}${id}/`, change))).toMatchObject(change);
  const { report } = await settled(browser, id);
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
  const close = () => {
    end();
    return Promise.resolve();
  };
  const running = await runConsole({}, { textReader: { read, close } });
  const browser = await owner(running);
  const site = await serveWebsite({ "/robots.txt": "User-agent: *\nAllow: /\n", "/": home });
  const { id } = await jsonOf<Website>(browser.send("POST", list, { address: site.origin }));
  await vi.waitUntil(() => hasBegun);
  await running.service.stop();
  expect(await running.store.websites.find(running.organizationId, id)).toMatchObject({
    state: "waiting",
    attempts: 0,
  });
});

describe("a website", () => {
  test("becomes a document of an avatar, and says what was read and what was left out", async () => {
    const running = await run();
    const browser = await owner(running);
    const site = await serveWebsite({ "/": home, "/delivery": delivery("nine") });
    const body = { address: site.origin, contexts: [running.demo.id] };
    const added = await jsonOf<Website>(browser.send("POST", list, body));
    expect(added).toMatchObject({ state: "waiting", every: "never", has_document: false });
    const read = await settled(browser, added.id);
    expect(read).toMatchObject({
      state: "ready",
      problem: null,
      has_document: true,
      next_at: null,
      report: { reading: null, waiting: 0, beyond: 0 },
    });
    expect(read.report.pages).toEqual([
      { path: "/", left_out: null, passages: 1 },
      { path: "/delivery", left_out: null, passages: 1 },
    ]);
    const [document] = (await jsonOf<Knowledge[]>(browser.get(documents))).filter(
      ({ id }) => id === added.id,
    );
    expect(document).toMatchObject({
      source: "website",
      title: new URL(site.origin).host,
      used_by: [{ id: running.demo.id }],
    });
    expect(await ask(running)).toContain("nine days");
  });

  test("is read again on demand, with what is new there", async () => {
    const { running, browser, site, id } = await hasRead({ "/": home, "/delivery": delivery("nine") });
    site.answers["/delivery"] = delivery("eleven");
    await jsonOf(browser.send("POST", `${list}${id}/read/`));
    await settled(browser, id);
    expect(await ask(running)).toContain("eleven days");
  });

  test("is read again by its schedule, in the night", async () => {
    const { running, site, id, read } = await hasRead({ "/": home }, { every: "day" });
    const next = new Date(read.next_at!);
    expect(next.getHours()).toBeGreaterThanOrEqual(2);
    expect(next.getHours()).toBeLessThan(5);
    site.answers["/"] = page("New", "<p>Everything is new.</p>");
    running.pass(2 * 24 * 60 * 60);
    // The session of the first browser has ended since.
    const later = await owner(running);
    // Somebody else's website wakes the reader, which then finds both.
    await later.send("POST", list, { address: "http://127.0.0.1:1/" });
    await vi.waitFor(async () => {
      const { text } = await jsonOf<KnowledgeDetail>(later.get(`${documents}${id}/`));
      expect(text).toContain("Everything is new.");
    });
    const changed = await jsonOf<Website>(later.send("PUT", `${list}${id}/`, { every: "never" }));
    expect(changed.next_at).toBeNull();
  });

  test("that fails keeps the text of before, and says why", async () => {
    const { running, browser, site, id } = await hasRead({ "/": home, "/delivery": delivery("nine") });
    site.answers["/"] = status(500);
    await jsonOf(browser.send("POST", `${list}${id}/read/`));
    expect(await settled(browser, id)).toMatchObject({ state: "failed", problem: "server_error" });
    expect(await ask(running)).toContain("nine days");
  });

  test("that two processes have ended with is not read a third time, nor in the next night", async () => {
    const { running, browser, site, id } = await hasRead(
      { "/": home, "/delivery": delivery("nine") },
      { every: "day" },
    );
    const { store, organizationId } = running;
    await store.websites.order(organizationId, id, running.nowMs());
    for (const process of ["first", "second"]) {
      expect(await store.websites.take(process, running.nowMs(), running.nowMs() + 90_000)).toMatchObject({
        id,
      });
      // It ends without a word.
      running.pass(91);
    }
    site.answers["/delivery"] = delivery("eleven");
    // Somebody else's website wakes the reader, which then finds both.
    await browser.send("POST", list, { address: "http://127.0.0.1:1/" });
    const given = { state: "failed", problem: "too_complex", next_at: null, has_document: true };
    expect(await settled(browser, id)).toMatchObject(given);
    expect(await ask(running)).toContain("nine days");
  });

  test("is stopped while it is read", async () => {
    let answer = (): void => undefined;
    const { running, browser, site, id } = await reading({
      "/": home,
      "/delivery": (response) => {
        answer = () => {
          status(200, delivery("nine"))(response);
        };
      },
    });
    await vi.waitFor(() => expect(site.asked).toContain("/delivery"));
    const stopped = await jsonOf<Website>(browser.send("POST", `${list}${id}/stop/`));
    expect(stopped.state).toBe("stopped");
    answer();
    await running.service.stop();
    expect(await settled(browser, id)).toMatchObject({ state: "stopped", has_document: false });
  });

  test("is deleted with its document, and restored with it for 30 s", async () => {
    const { running, browser, id } = await hasRead({ "/": home });
    expect((await browser.send("DELETE", `${list}${id}/`)).status).toBe(204);
    expect(await websites(browser)).toEqual([]);
    await jsonOf(browser.send("POST", `${documents}${id}/restore/`));
    expect((await websites(browser)).map((one) => one.id)).toEqual([id]);
    await browser.send("DELETE", `${documents}${id}/`);
    running.pass(31);
    await running.service.removeExpired();
    expect(await running.store.websites.find(running.organizationId, id)).toBeNull();
  });

  test("is refused where the address is none, is in the list already, or is in a private network", async () => {
    const { browser, site } = await reading({ "/": home });
    for (const address of [site.origin, "ftp://alder.example", "https://a:b@alder.example"]) {
      const answer = await browser.send("POST", list, { address });
      expect([address, answer.status, JSON.stringify(await answer.json())]).toEqual([
        address,
        400,
        expect.stringContaining('"address"'),
      ]);
    }
  });

  test("has a text that is changed there, not here", async () => {
    const { browser, id } = await hasRead({ "/": home });
    const answer = await browser.send("PUT", `${documents}${id}/`, { title: "Mine", text: "Mine." });
    expect(answer.status).toBe(400);
    expect(JSON.stringify(await answer.json())).toContain("Change it there");
    await jsonOf(browser.send("PUT", `${documents}${id}/`, { title: "Our website" }));
  });
});

test("another organization sees and changes none of them", async () => {
  const { running, browser, site, id } = await hasRead({ "/": home });
  const otherKey = "vv_other_organization_key";
  await addOtherOrganization(running, otherKey);
  const other = (method: string, path: string, body?: unknown): Promise<Response> =>
    running.request(path, {
      method,
      headers: { "ServicePlatform-APIKey": otherKey, "Content-Type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  expect(await (await other("GET", list)).json()).toEqual([]);
  for (const [method, path, body] of [
    ["PUT", `${list}${id}/`, { every: "day" }],
    ["POST", `${list}${id}/read/`, undefined],
    ["POST", `${list}${id}/stop/`, undefined],
    ["DELETE", `${list}${id}/`, undefined],
  ] as const)
    expect([path, (await other(method, path, body)).status]).toEqual([path, 404]);
  const address = "https://shop.example";
  expect((await other("POST", list, { address, contexts: [running.demo.id] })).status).toBe(404);
  const asked = site.asked.length;
  // The organization that runs the service may add it, as it did above.
  expect((await other("POST", list, { address: site.origin })).status).toBe(400);
  expect(site.asked).toHaveLength(asked);
  expect(await websites(browser)).toHaveLength(1);
});
