import { expect, test, type Page } from "../../support/test.ts";
import {
  captionedWords,
  recordConnections,
  recordEvents,
  seenErrors,
  seenStates,
  untilAudible,
  untilSeenState,
} from "../../support/page-records.ts";
import { stopTime } from "../../support/page-time.ts";
import { storedEvents, terminationReason } from "../../support/service-api.ts";
import { untilKeeper } from "../../support/page-modules.ts";
import {
  ask,
  askAndWait,
  longText,
  openAvatar,
  panelText,
  say,
  transcript,
  untilShown,
  untilSpoken,
} from "../../support/talk.ts";
import {
  clickLauncher,
  launcher,
  sessionId,
  tryAgainButton,
  untilFirstFrame,
  untilState,
} from "../../support/widget.ts";
import { startTwoServers, type TwoServers } from "../../support/two-servers.ts";

/** Those of all tests that need no settings of their own. */
let servers: TwoServers;
test.beforeAll(async () => {
  // No session is lost while a busy machine starts servers again.
  servers = await startTwoServers({ VISAVIS_LEASE_SEC: "300" });
});
test.beforeEach(() => servers.startBoth());
test.afterAll(() => servers.stop());

/** Servers of one test, with settings of their own. */
async function withTwoServers(
  env: Record<string, string>,
  use: (own: TwoServers) => Promise<void>,
): Promise<void> {
  const own = await startTwoServers(env);
  try {
    await use(own);
  } finally {
    await own.stop();
  }
}

test.beforeEach(async ({ page }) => {
  await recordConnections(page);
  await recordEvents(page);
});

const lastWord = "Eighteen.";

/** A visitor to whom the avatar has spoken the first words of a long text. Returns the session's id. */
async function inMidSentence(page: Page, path = "/"): Promise<string> {
  const session = await openAvatar(page, servers.siteOrigin + path);
  // Long enough to be in its middle when a busy machine gets to what comes next.
  await say(page, `${longText} ${longText} ${lastWord}`);
  await expect.poll(() => captionedWords(page)).toContain("three");
  return session;
}

/** Starts the service again. The page waits for it for a limited time, of which a busy machine's start takes none. */
async function startServiceInNoTime(page: Page): Promise<void> {
  await stopTime(page);
  await servers.startService();
  await page.clock.resume();
}

test("a stopped service is reported, and Retry works when it runs again", async ({ page }) => {
  await page.goto(servers.siteOrigin);
  await launcher(page).waitFor();
  await servers.service.kill();
  await clickLauncher(page);
  await untilState(page, "error");
  await expect.poll(() => seenErrors(page)).toContain("engine_failed");
  await expect.poll(() => panelText(page)).toContain("engine_failed");
  await servers.startService();
  await tryAgainButton(page).click();
  await untilState(page, "live");
  await untilFirstFrame(page);
});

test("a media process killed in mid-sentence is replaced, and the same session says the rest", async ({
  page,
}) => {
  const before = await inMidSentence(page, "/picture");
  const told = untilShown(page, "Reconnecting");
  for (const victim of servers.service.mediaPids()) process.kill(victim, "SIGKILL");
  await told;
  await untilSeenState(page, "reconnecting");
  await untilState(page, "live");
  await untilFirstFrame(page);
  expect(await sessionId(page)).toBe(before);
  await untilAudible(page);
  await expect.poll(() => captionedWords(page)).toContain(lastWord);
  expect(await storedEvents(servers.service, before)).not.toContain("SESSION_END");
});

test("a media process that hangs (a half-open peer) is detected by pings and replaced, and the same session says the rest", async ({
  page,
}) => {
  const before = await inMidSentence(page);
  const hanging = servers.service.mediaPids();
  for (const pid of hanging) process.kill(pid, "SIGSTOP");
  await untilSeenState(page, "reconnecting");
  await expect.poll(() => captionedWords(page)).toContain(lastWord);
  await untilState(page, "live");
  expect(await sessionId(page)).toBe(before);
  expect(await seenErrors(page)).toEqual([]);
  for (const pid of hanging)
    try {
      process.kill(pid, "SIGCONT");
    } catch {
      // The process was replaced.
    }
});

test("a question asked while reconnecting is kept, and answered once in the same session", async ({
  page,
}) => {
  await page.clock.install();
  const before = await inMidSentence(page);
  await servers.service.kill();
  await untilState(page, "reconnecting");
  await ask(page, "How much is the Alder reading chair?");
  await expect
    .poll(() => transcript(page))
    .toContain("visitor: How much is the Alder reading chair? (waiting)");
  await startServiceInNoTime(page);
  await untilState(page, "live");
  await expect.poll(async () => (await transcript(page)).at(-1)).toMatch(/^avatar: .*480 euros.* \(final\)$/);
  expect(await sessionId(page)).toBe(before);
  const lines = await transcript(page);
  expect(lines.filter((line) => line.startsWith("visitor"))).toHaveLength(1);
  expect(await seenErrors(page)).toEqual([]);
});

test("relay and service are started again during a page load: the same session goes on", async ({ page }) => {
  await page.clock.install();
  const keeper = untilKeeper(page);
  const before = await openAvatar(page, servers.siteOrigin);
  await keeper;
  await untilSpoken(page);
  await expect.poll(() => storedEvents(servers.service, before)).toContain("SESSION_START");
  const lines = await transcript(page);
  await page.goto("about:blank");
  await servers.relay.kill();
  await servers.service.kill();
  await servers.startRelay();
  // The page loads with the relay alone: the session cannot be taken up yet.
  await page.goto(servers.siteOrigin);
  await expect.poll(() => transcript(page)).toEqual(lines);
  await startServiceInNoTime(page);
  await untilState(page, "live");
  expect(await sessionId(page)).toBe(before);
  expect(await transcript(page)).toEqual(lines);
});

test("a service killed in mid-sentence and started again: the same session continues and says the rest", async ({
  page,
}) => {
  await page.clock.install();
  const before = await inMidSentence(page);
  await servers.service.kill();
  await untilState(page, "reconnecting");
  await startServiceInNoTime(page);
  await untilState(page, "live");
  expect(await sessionId(page)).toBe(before);
  await expect.poll(() => captionedWords(page)).toContain(lastWord);
  expect(await seenErrors(page)).toEqual([]);
  const stored = await storedEvents(servers.service, before);
  expect(stored.filter((kind) => kind === "SESSION_START")).toHaveLength(1);
  expect(stored).not.toContain("SESSION_END");
});

test("a service that is restarted: the visitor sees nothing of it, and a question asked meanwhile is answered", async ({
  page,
}) => {
  await page.clock.install();
  const before = await inMidSentence(page);
  const { service } = servers;
  await stopTime(page);
  await service.stop();
  expect(service.output()).toContain("service stopping");
  await ask(page, "How much is the Alder reading chair?");
  await expect
    .poll(() => transcript(page))
    .toContain("visitor: How much is the Alder reading chair? (waiting)");
  expect(await panelText(page)).not.toMatch(/Reconnecting|connection/);
  const heard = untilAudible(page);
  await servers.startService();
  await page.clock.resume();
  await heard;
  await expect.poll(async () => (await transcript(page)).at(-1)).toMatch(/^avatar: .*480.* \(final\)$/);
  expect(await sessionId(page)).toBe(before);
  expect(await seenStates(page)).toEqual(["connecting", "live"]);
  expect(await seenErrors(page)).toEqual([]);
  const said = await transcript(page);
  expect(said.filter((line) => line === said[0])).toHaveLength(1);
  const stored = await storedEvents(servers.service, before);
  expect(stored.filter((kind) => kind === "SESSION_START")).toHaveLength(1);
  expect(stored).not.toContain("SESSION_END");
});

test("a service that does not come back within 20 s: the connection counts as lost, and recovers as usual", async ({
  page,
}) => {
  await page.clock.install();
  const before = await openAvatar(page, servers.siteOrigin);
  // What takes care of a live session has been loaded by then.
  await askAndWait(page, "How much is the Alder reading chair?");
  await servers.service.stop();
  await untilState(page, "reconnecting");
  await expect.poll(() => panelText(page)).toContain("Reconnecting");
  await startServiceInNoTime(page);
  await untilState(page, "live");
  expect(await sessionId(page)).toBe(before);
});

test("a service that stops for good ends the conversation", async ({ page }) => {
  await withTwoServers({ VISAVIS_SESSIONS_ON_STOP: "end" }, async ({ siteOrigin, service }) => {
    await openAvatar(page, siteOrigin);
    const stopped = service.stop();
    await untilState(page, "ended");
    await stopped;
  });
});

test("a client that is away until its lease runs out: the session is reported as lost, and a new one continues the conversation", async ({
  page,
}) => {
  await page.clock.install();
  await withTwoServers({ VISAVIS_LEASE_SEC: "20" }, async (own) => {
    const before = await openAvatar(page, `${own.siteOrigin}/picture`);
    await ask(page, "How much is the Alder reading chair?");
    await expect.poll(async () => (await transcript(page)).at(-1)).toMatch(/^avatar: .* \(final\)$/);
    await own.relay.kill();
    await own.service.kill();
    await untilState(page, "reconnecting");
    // The page gives up after a minute.
    await stopTime(page);
    // A service that has just started ends no lease at once: the clients could not send heartbeats while it was down.
    await own.startService();
    await expect.poll(() => terminationReason(own.service, before)).toBe("SESSION_LOST_AFTER_CONNECTION");
    await own.startRelay();
    await page.clock.resume();
    await expect.poll(() => seenErrors(page)).toEqual(["session_lost"]);
    await untilState(page, "live");
    await untilFirstFrame(page);
    expect(await sessionId(page)).not.toBe(before);
    expect(await transcript(page)).toContain("visitor: How much is the Alder reading chair? (final)");
    const heard = untilAudible(page);
    await ask(page, "Do you deliver to Austria?");
    await heard;
  });
});

test("a relay killed in mid-sentence: the avatar goes on speaking, and a question after its restart is answered", async ({
  page,
}) => {
  const before = await inMidSentence(page);
  await servers.relay.kill();
  await expect.poll(() => captionedWords(page)).toContain(lastWord);
  await ask(page, "How much is the Rowan table?");
  await expect.poll(() => transcript(page)).toContain("visitor: How much is the Rowan table? (waiting)");
  const heard = untilAudible(page);
  await servers.startRelay();
  await heard;
  expect(await seenErrors(page)).toEqual([]);
  expect(await sessionId(page)).toBe(before);
  expect(await seenStates(page)).toEqual(["connecting", "live"]);
});
