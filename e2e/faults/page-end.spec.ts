/**
 * What becomes of a session when its page goes away, sleeps or comes back. (A microphone that is denied, absent, busy or
 * unplugged belongs in this folder too, once there is one.)
 */
import { readFileSync, readdirSync } from "node:fs";
import { expect, test, type Browser, type Page } from "@playwright/test";
import { hostPage, startHostSite, type HostSite } from "../support/host-page.ts";
import { startServer, type Server } from "../support/stack.ts";
import { ask, openAvatar, seenErrors, seenStates, transcript } from "../support/talk.ts";
import {
  clickLauncher,
  recordConnections,
  recordEvents,
  sessionId,
  sessionView,
  snippet,
  storedEvents,
  untilAudible,
  untilFirstFrame,
  untilState,
} from "../support/widget.ts";

let server: Server;
let site: HostSite;

test.beforeAll(async () => {
  server = await startServer("start", { VISAVIS_LEASE_SEC: "8" });
  site = await startHostSite(
    { "/": hostPage(snippet(server.origin)), "/elsewhere": hostPage("") },
    { relayOrigin: server.origin },
  );
});

test.afterAll(async () => {
  await site.close();
  await server.stop();
});

const reasonOf = async (id: string): Promise<unknown> =>
  (await sessionView(server, id))["termination_reason"];

const endsOf = async (id: string): Promise<string[]> =>
  (await storedEvents(server, id)).filter((kind) => kind === "SESSION_END" || kind === "SESSION_ERROR");

async function recorded(page: Page): Promise<Page> {
  await recordConnections(page);
  await recordEvents(page);
  return page;
}

test("a closed tab sends one END", async ({ page }) => {
  const id = await openAvatar(page, site.origin);
  await page.close({ runBeforeUnload: false });
  await expect.poll(() => reasonOf(id), { timeout: 10_000 }).toBe("GRACEFUL_TERMINATION");
  expect(await endsOf(id)).toEqual(["SESSION_END"]);
});

test("a killed browser is ended by the lease", async ({ playwright }, testInfo) => {
  const browserServer = await playwright.chromium.launchServer(testInfo.project.use.launchOptions);
  const browser = await playwright.chromium.connect(browserServer.wsEndpoint());
  const id = await openAvatar(await browser.newPage(), site.origin);
  await browserServer.kill();
  await expect.poll(() => reasonOf(id), { timeout: 25_000 }).toBe("SESSION_LOST_AFTER_CONNECTION");
  expect(await endsOf(id)).toEqual([]);
});

test("Back restores the page from the browser's cache: the session has ended once, and the next one starts", async ({
  playwright,
}, testInfo) => {
  const browser = await playwright.chromium.launch({
    ...testInfo.project.use.launchOptions,
    ignoreDefaultArgs: ["--disable-back-forward-cache"],
  });
  try {
    const page = await recorded(await browser.newPage());
    await page.addInitScript(() => {
      addEventListener("pageshow", ({ persisted }) => Object.assign(window, { wasPersisted: persisted }));
    });
    const id = await openAvatar(page, site.origin);
    await page.goto(`${site.origin}/elsewhere`);
    await expect.poll(() => reasonOf(id)).toBe("GRACEFUL_TERMINATION");
    // goBack() would wait for a load that never comes.
    await page.evaluate(() => history.back());
    await page.waitForURL(`${site.origin}/`, { waitUntil: "commit" });
    await expect
      .poll(() => page.evaluate(() => (window as unknown as { wasPersisted?: boolean }).wasPersisted))
      .toBe(true);
    await untilState(page, "ended");
    await page
      .locator("visavis-avatar")
      .evaluate((element) => (element as HTMLElement & { start(): Promise<void> }).start());
    await untilFirstFrame(page);
    expect(await sessionId(page)).not.toBe(id);
    expect(await endsOf(id)).toEqual(["SESSION_END"]);
  } finally {
    await browser.close();
  }
});

/**
 * Stops the tab's renderer, so that no script and no packet of it goes on; answers its thawing. (Browsers under test keep
 * every tab visible, and visible tabs cannot be frozen by the means of the developer tools.)
 */
async function freeze(page: Page): Promise<() => void> {
  const devtools = await page.context().browser()!.newBrowserCDPSession();
  const { processInfo } = await devtools.send("SystemInfo.getProcessInfo");
  const renderers = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => id);
  expect(renderers.length).toBeGreaterThan(0);
  for (const pid of renderers) process.kill(pid, "SIGSTOP");
  return () => {
    for (const pid of renderers) process.kill(pid, "SIGCONT");
  };
}

test("a tab frozen for a moment goes on with its session", async ({ page }) => {
  await recorded(page);
  const id = await openAvatar(page, site.origin);
  const thaw = await freeze(page);
  await page.waitForTimeout(2_000);
  thaw();
  const heard = untilAudible(page, 20_000);
  await ask(page, "How much is the Alder reading chair?");
  await heard;
  expect(await sessionId(page)).toBe(id);
  expect(await seenErrors(page)).toEqual([]);
});

test("a tab frozen beyond the lease gets a new session and keeps the conversation", async ({ page }) => {
  await recorded(page);
  const id = await openAvatar(page, site.origin);
  await ask(page, "How much is the Alder reading chair?");
  await expect.poll(async () => (await transcript(page)).at(-1)).toMatch(/^avatar: .+ \(final\)$/);
  const thaw = await freeze(page);
  await expect.poll(() => reasonOf(id), { timeout: 25_000 }).toBe("SESSION_LOST_AFTER_CONNECTION");
  thaw();
  await expectFreshSession(page, id);
  expect(await transcript(page)).toContain("visitor: How much is the Alder reading chair? (final)");
});

test("a laptop that slept beyond the lease gets a new session", async ({ playwright }, testInfo) => {
  const browserServer = await playwright.chromium.launchServer(testInfo.project.use.launchOptions);
  let browser: Browser | undefined;
  try {
    browser = await playwright.chromium.connect(browserServer.wsEndpoint());
    const page = await recorded(await browser.newPage());
    const id = await openAvatar(page, site.origin);
    const processes = treeOf(browserServer.process().pid ?? 0);
    for (const pid of processes) process.kill(pid, "SIGSTOP");
    await expect.poll(() => reasonOf(id), { timeout: 25_000 }).toBe("SESSION_LOST_AFTER_CONNECTION");
    for (const pid of processes) process.kill(pid, "SIGCONT");
    await expectFreshSession(page, id);
  } finally {
    await browser?.close();
    await browserServer.kill();
  }
});

async function expectFreshSession(page: Page, before: string): Promise<void> {
  await expect.poll(() => seenErrors(page), { timeout: 20_000 }).toContain("session_lost");
  await untilState(page, "live");
  await untilFirstFrame(page);
  expect(await sessionId(page)).not.toBe(before);
  expect(await seenStates(page)).toContain("error");
  expect(await endsOf(before)).toEqual([]);
}

/** A process and all its descendants. */
function treeOf(root: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry)))
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]));
    } catch {
      // It has ended meanwhile.
    }
  const tree = [root];
  for (const pid of tree) for (const [child, parent] of parents) if (parent === pid) tree.push(child);
  return tree;
}

test("a session left before it is live is ended once", async ({ page }) => {
  const created = page.waitForResponse((response) => response.url().endsWith("/embed/v1/sessions"));
  await page.goto(site.origin);
  await clickLauncher(page);
  const { session } = (await (await created).json()) as { session: { session_id: string } };
  await page.goto(`${site.origin}/elsewhere`);
  await expect.poll(() => reasonOf(session.session_id)).toBe("GRACEFUL_TERMINATION");
  expect(await endsOf(session.session_id)).toEqual(["SESSION_END"]);
});
