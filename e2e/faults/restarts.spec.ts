import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, type Page } from "../support/test.ts";
import { hostPage, startHostSite } from "../support/host-page.ts";
import {
  captionedWords,
  recordConnections,
  recordEvents,
  seenErrors,
  seenStates,
  untilAudible,
} from "../support/page-records.ts";
import { storedEvents, terminationReason } from "../support/service-api.ts";
import { canaryKey, startServer, type Server } from "../support/stack.ts";
import { untilKeeper } from "../support/page-modules.ts";
import { ask, askAndWait, longText, openAvatar, panelText, say, transcript } from "../support/talk.ts";
import {
  clickLauncher,
  launcher,
  sessionId,
  snippet,
  tryAgainButton,
  untilFirstFrame,
  untilState,
} from "../support/widget.ts";
import { freePort } from "../../test/free-port.ts";

/** Relay and service in separate processes. Each keeps its port and its folder when it is restarted. */
interface TwoServers {
  service: Server;
  relay: Server;
  siteOrigin: string;
  startService(): Promise<void>;
  startRelay(): Promise<void>;
}

const stops: (() => void | Promise<void>)[] = [];

test.afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "visavis-restart-"));
  stops.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

async function startTwoServers(env: Record<string, string> = {}): Promise<TwoServers> {
  const serviceEnv = { PORT: String(await freePort()), VISAVIS_DATA: newFolder(), ...env };
  const relayEnv = { PORT: String(await freePort()), VISAVIS_DATA: newFolder() };
  const start = async (command: "service" | "relay", env: Record<string, string>): Promise<Server> => {
    const server = await startServer(command, env);
    stops.push(() => server.stop());
    return server;
  };
  const service = await start("service", serviceEnv);
  const connection = { SERVICE_BASE_URL: service.origin, SERVICE_API_KEY: canaryKey };
  const relay = await start("relay", { ...relayEnv, ...connection });
  const site = await startHostSite(
    { "/": hostPage(snippet(relay.origin, "ctx_demo")) },
    { relayOrigin: relay.origin },
  );
  stops.push(() => site.close());
  const servers: TwoServers = {
    service,
    relay,
    siteOrigin: site.origin,
    startService: async () => void (servers.service = await start("service", serviceEnv)),
    startRelay: async () => void (servers.relay = await start("relay", { ...relayEnv, ...connection })),
  };
  return servers;
}

test.beforeEach(async ({ page }) => {
  await recordConnections(page);
  await recordEvents(page);
});

/** Two servers, and a visitor to whom the avatar has spoken the first words of a long text. */
async function inMidSentence(page: Page): Promise<{ servers: TwoServers; session: string }> {
  const servers = await startTwoServers();
  const session = await openAvatar(page, servers.siteOrigin);
  await say(page, longText);
  await expect.poll(() => captionedWords(page)).toContain("three");
  return { servers, session };
}

test("a stopped service is reported, and Retry works when it runs again", async ({ page }) => {
  const servers = await startTwoServers();
  await page.goto(servers.siteOrigin);
  await launcher(page).waitFor();
  servers.service.kill();
  await clickLauncher(page);
  await untilState(page, "error");
  expect(await seenErrors(page)).toContain("engine_failed");
  await expect.poll(() => panelText(page)).toContain("engine_failed");
  await servers.startService();
  await tryAgainButton(page).click();
  await untilState(page, "live");
  await untilFirstFrame(page);
});

test("a media process killed in mid-sentence is replaced, and the same session says the rest", async ({
  page,
}) => {
  const { servers, session: before } = await inMidSentence(page);
  for (const victim of servers.service.mediaPids()) process.kill(victim, "SIGKILL");
  await untilState(page, "reconnecting");
  await expect.poll(() => panelText(page)).toContain("Reconnecting");
  await untilState(page, "live");
  expect(await sessionId(page)).toBe(before);
  await untilAudible(page);
  await expect.poll(() => captionedWords(page)).toContain("seventeen.");
  expect(await storedEvents(servers.service, before)).not.toContain("SESSION_END");
});

test("a media process that hangs (a half-open peer) is detected by pings and replaced, and the same session says the rest", async ({
  page,
}) => {
  const { servers, session: before } = await inMidSentence(page);
  const hanging = servers.service.mediaPids();
  for (const pid of hanging) process.kill(pid, "SIGSTOP");
  await untilState(page, "reconnecting");
  await expect.poll(() => captionedWords(page), { timeout: 45_000 }).toContain("seventeen.");
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
  const { servers, session: before } = await inMidSentence(page);
  servers.service.kill();
  await untilState(page, "reconnecting");
  await ask(page, "How much is the Alder reading chair?");
  await expect
    .poll(() => transcript(page))
    .toContain("visitor: How much is the Alder reading chair? (waiting)");
  await servers.startService();
  await untilState(page, "live");
  await expect
    .poll(async () => (await transcript(page)).at(-1), { timeout: 20_000 })
    .toMatch(/^avatar: .*480 euros.* \(final\)$/);
  expect(await sessionId(page)).toBe(before);
  const lines = await transcript(page);
  expect(lines.filter((line) => line.startsWith("visitor"))).toHaveLength(1);
  expect(await seenErrors(page)).toEqual([]);
});

test("relay and service are started again during a page load: the same session goes on", async ({ page }) => {
  const servers = await startTwoServers();
  const keeper = untilKeeper(page);
  const before = await openAvatar(page, servers.siteOrigin);
  await keeper;
  await expect.poll(() => storedEvents(servers.service, before)).toContain("SESSION_START");
  const lines = await transcript(page);
  await page.goto("about:blank");
  servers.relay.kill();
  servers.service.kill();
  await servers.startRelay();
  // The page loads with the relay alone: the session cannot be taken up yet.
  await page.goto(servers.siteOrigin);
  await expect.poll(() => transcript(page)).toEqual(lines);
  await servers.startService();
  await untilState(page, "live");
  expect(await sessionId(page)).toBe(before);
  expect(await transcript(page)).toEqual(lines);
});

test("a service killed in mid-sentence and started again: the same session continues and says the rest", async ({
  page,
}) => {
  const { servers, session: before } = await inMidSentence(page);
  servers.service.kill();
  await untilState(page, "reconnecting");
  await servers.startService();
  await untilState(page, "live");
  expect(await sessionId(page)).toBe(before);
  await expect.poll(() => captionedWords(page), { timeout: 20_000 }).toContain("seventeen.");
  expect(await seenErrors(page)).toEqual([]);
  const stored = await storedEvents(servers.service, before);
  expect(stored.filter((kind) => kind === "SESSION_START")).toHaveLength(1);
  expect(stored).not.toContain("SESSION_END");
});

test("a service that is restarted: the visitor sees nothing of it, and a question asked meanwhile is answered", async ({
  page,
}) => {
  const { servers, session: before } = await inMidSentence(page);
  const { service } = servers;
  await service.stop();
  expect(service.output()).toContain("service stopping");
  await ask(page, "How much is the Alder reading chair?");
  await expect
    .poll(() => transcript(page))
    .toContain("visitor: How much is the Alder reading chair? (waiting)");
  expect(await panelText(page)).not.toMatch(/Reconnecting|connection/);
  const heard = untilAudible(page, 20_000);
  await servers.startService();
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
  const servers = await startTwoServers();
  const before = await openAvatar(page, servers.siteOrigin);
  // What takes care of a live session has been loaded by then.
  await askAndWait(page, "How much is the Alder reading chair?");
  await servers.service.stop();
  await untilState(page, "reconnecting");
  await expect.poll(() => panelText(page)).toContain("Reconnecting");
  await servers.startService();
  await untilState(page, "live");
  expect(await sessionId(page)).toBe(before);
});

test("a service that stops for good ends the conversation", async ({ page }) => {
  const servers = await startTwoServers({ VISAVIS_SESSIONS_ON_STOP: "end" });
  await openAvatar(page, servers.siteOrigin);
  const stopped = servers.service.stop();
  await untilState(page, "ended");
  await stopped;
});

test("a client that is away until its lease runs out: the session is reported as lost, and a new one continues the conversation", async ({
  page,
}) => {
  const servers = await startTwoServers({ VISAVIS_LEASE_SEC: "8" });
  const before = await openAvatar(page, servers.siteOrigin);
  await ask(page, "How much is the Alder reading chair?");
  await expect.poll(async () => (await transcript(page)).at(-1)).toMatch(/^avatar: .* \(final\)$/);
  servers.relay.kill();
  servers.service.kill();
  await untilState(page, "reconnecting");
  // A service that has just started ends no lease at once: the clients could not send heartbeats while it was down.
  await servers.startService();
  await expect
    .poll(() => terminationReason(servers.service, before), { timeout: 30_000 })
    .toBe("SESSION_LOST_AFTER_CONNECTION");
  await servers.startRelay();
  await expect.poll(() => seenErrors(page), { timeout: 20_000 }).toEqual(["session_lost"]);
  await untilState(page, "live");
  await untilFirstFrame(page);
  expect(await sessionId(page)).not.toBe(before);
  expect(await transcript(page)).toContain("visitor: How much is the Alder reading chair? (final)");
  const heard = untilAudible(page);
  await ask(page, "Do you deliver to Austria?");
  await heard;
});

test("a relay killed in mid-sentence: the avatar goes on speaking, and a question after its restart is answered", async ({
  page,
}) => {
  const { servers, session: before } = await inMidSentence(page);
  servers.relay.kill();
  await expect.poll(() => captionedWords(page)).toContain("seventeen.");
  await ask(page, "How much is the Rowan table?");
  await expect.poll(() => transcript(page)).toContain("visitor: How much is the Rowan table? (waiting)");
  const heard = untilAudible(page, 20_000);
  await servers.startRelay();
  await heard;
  expect(await seenErrors(page)).toEqual([]);
  expect(await sessionId(page)).toBe(before);
  expect(await seenStates(page)).toEqual(["connecting", "live"]);
});
