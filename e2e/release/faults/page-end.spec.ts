/** What happens to a session when its page is closed, sleeps or comes back. */
import { readFileSync, readdirSync } from "node:fs";
import { setTimeout as elapse } from "node:timers/promises";
import { expect, test, type Browser, type Page } from "../../support/test.ts";
import { hostPage } from "../../support/host-page.ts";
import {
  recordConnections,
  recordEvents,
  seenErrors,
  seenStates,
  untilAudible,
} from "../../support/page-records.ts";
import { useSite } from "../../support/served-site.ts";
import { wholeChromium } from "../../support/system-chromium.ts";
import { storedEvents, terminationReason } from "../../support/service-api.ts";
import { untilKeeper } from "../../support/page-modules.ts";
import { ask, openAvatar, transcript } from "../../support/talk.ts";
import {
  clickLauncher,
  sessionId,
  snippet,
  untilFirstFrame,
  untilState,
  withPicture,
} from "../../support/widget.ts";

const served = useSite({
  // Short, but not so short that a page of a busy machine would lose its session.
  env: { VISAVIS_LEASE_SEC: "20" },
  pages: (relayOrigin, context) => ({
    "/": hostPage(snippet(relayOrigin, context)),
    "/picture": hostPage(snippet(relayOrigin, context, withPicture)),
    "/elsewhere": hostPage(""),
  }),
});

const reasonOf = (id: string): Promise<unknown> => terminationReason(served.server, id);

const endsOf = async (id: string): Promise<string[]> =>
  (await storedEvents(served.server, id)).filter(
    (kind) => kind === "SESSION_END" || kind === "SESSION_ERROR",
  );

declare global {
  interface Window {
    /** Whether the browser restored the page from its cache. */
    wasPersisted?: boolean;
  }
}

async function recorded(page: Page): Promise<Page> {
  await recordConnections(page);
  await recordEvents(page);
  return page;
}

test("a closed tab announces that it leaves, and its session ends when nobody comes back", async ({
  page,
}) => {
  const id = await openAvatar(page, served.site.origin);
  await page.close({ runBeforeUnload: false });
  await expect.poll(() => reasonOf(id)).toBe("GRACEFUL_TERMINATION");
});

test("a killed browser's session is ended by its lease", async ({ playwright }, testInfo) => {
  const browserServer = await playwright.chromium.launchServer(testInfo.project.use.launchOptions);
  const browser = await playwright.chromium.connect(browserServer.wsEndpoint());
  const id = await openAvatar(await browser.newPage(), served.site.origin);
  await browserServer.kill();
  await expect.poll(() => reasonOf(id)).toBe("SESSION_LOST_AFTER_CONNECTION");
  expect(await endsOf(id)).toEqual([]);
});

test("Back restores the page from the browser's cache, and takes its session up again", async ({
  playwright,
}, testInfo) => {
  test.skip(
    wholeChromium === undefined,
    "Chromium is not installed, and the headless shell has no cache for Back.",
  );
  const browser = await playwright.chromium.launch({
    ...testInfo.project.use.launchOptions,
    ...(wholeChromium !== undefined && { executablePath: wholeChromium }),
    ignoreDefaultArgs: ["--disable-back-forward-cache"],
  });
  try {
    const page = await recorded(await browser.newPage());
    await page.addInitScript(() => {
      addEventListener("pageshow", ({ persisted }) => (window.wasPersisted = persisted));
    });
    const keeper = untilKeeper(page);
    const id = await openAvatar(page, `${served.site.origin}/picture`);
    await keeper;
    // The service waits 10 s for who comes back.
    await page.goto(`${served.site.origin}/elsewhere`, { waitUntil: "commit" });
    // goBack() would wait for a load that never comes.
    await page.evaluate(() => history.back());
    await page.waitForURL(`${served.site.origin}/picture`, { waitUntil: "commit" });
    await expect.poll(() => page.evaluate(() => window.wasPersisted)).toBe(true);
    await untilState(page, "live");
    await untilFirstFrame(page);
    expect(await sessionId(page)).toBe(id);
    expect(await endsOf(id)).toEqual([]);
  } finally {
    await browser.close();
  }
});

/**
 * Stops the tab's renderer with its scripts and packets. Returns a function that lets it continue.
 * (A browser under test keeps every tab visible, and the developer tools cannot freeze a visible tab.)
 */
async function freeze(page: Page): Promise<() => void> {
  const devtools = await page.context().browser()!.newBrowserCDPSession();
  const { processInfo } = await devtools.send("SystemInfo.getProcessInfo");
  const renderers = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => id);
  expect(renderers.length).toBeGreaterThan(0);
  signal(renderers, "SIGSTOP");
  return () => signal(renderers, "SIGCONT");
}

test("a tab that was frozen for a moment continues its session", async ({ page }) => {
  await recorded(page);
  const id = await openAvatar(page, served.site.origin);
  const thaw = await freeze(page);
  await elapse(2_000);
  thaw();
  const heard = untilAudible(page);
  await ask(page, "How much is the Alder reading chair?");
  await heard;
  expect(await sessionId(page)).toBe(id);
  expect(await seenErrors(page)).toEqual([]);
});

test("a tab that was frozen longer than the lease gets a new session and keeps the conversation", async ({
  page,
}) => {
  await recorded(page);
  const id = await openAvatar(page, `${served.site.origin}/picture`);
  await ask(page, "How much is the Alder reading chair?");
  await expect.poll(async () => (await transcript(page)).at(-1)).toMatch(/^avatar: .+ \(final\)$/);
  const thaw = await freeze(page);
  await expect.poll(() => reasonOf(id)).toBe("SESSION_LOST_AFTER_CONNECTION");
  thaw();
  await expectFreshSession(page, id);
  expect(await transcript(page)).toContain("visitor: How much is the Alder reading chair? (final)");
});

test("a laptop that slept longer than the lease gets a new session", async ({ playwright }, testInfo) => {
  const browserServer = await playwright.chromium.launchServer(testInfo.project.use.launchOptions);
  let browser: Browser | undefined;
  try {
    browser = await playwright.chromium.connect(browserServer.wsEndpoint());
    const page = await recorded(await browser.newPage());
    const id = await openAvatar(page, served.site.origin);
    const processes = treeOf(browserServer.process().pid ?? 0);
    signal(processes, "SIGSTOP");
    await expect.poll(() => reasonOf(id)).toBe("SESSION_LOST_AFTER_CONNECTION");
    signal(processes, "SIGCONT");
    await expectFreshSession(page, id);
  } finally {
    await browser?.close();
    await browserServer.kill();
  }
});

async function expectFreshSession(page: Page, before: string): Promise<void> {
  await expect.poll(() => seenErrors(page)).toContain("session_lost");
  await untilState(page, "live");
  await untilFirstFrame(page);
  expect(await sessionId(page)).not.toBe(before);
  expect(await seenStates(page)).toContain("error");
  expect(await endsOf(before)).toEqual([]);
}

/** Sends a signal to processes, of which some may have ended meanwhile. */
function signal(pids: readonly number[], name: "SIGSTOP" | "SIGCONT"): void {
  for (const pid of pids)
    try {
      process.kill(pid, name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
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

test("a session whose page is left before it is live ends once", async ({ page }) => {
  await page.addInitScript(() => {
    const value = () => new Promise(() => undefined);
    Object.defineProperty(RTCPeerConnection.prototype, "setRemoteDescription", { value });
  });
  const created = page.waitForResponse((response) => response.url().endsWith("/embed/v1/sessions"));
  await page.goto(served.site.origin);
  await clickLauncher(page);
  const { session } = (await (await created).json()) as { session: { session_id: string } };
  await page.goto(`${served.site.origin}/elsewhere`);
  await expect.poll(() => reasonOf(session.session_id)).toBe("GRACEFUL_TERMINATION");
  await expect.poll(() => endsOf(session.session_id)).toEqual(["SESSION_END"]);
});
