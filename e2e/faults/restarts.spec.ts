import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { hostPage, startHostSite } from "../support/host-page.ts";
import { canaryKey, freePort, startServer, type Server } from "../support/stack.ts";
import {
  ask,
  captionedWords,
  longText,
  openAvatar,
  panelText,
  say,
  seenErrors,
  seenStates,
  transcript,
} from "../support/talk.ts";
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

/** Relay and service in processes of their own, each on a port and a folder that outlive it. */
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
  const site = await startHostSite({ "/": hostPage(snippet(relay.origin)) }, { relayOrigin: relay.origin });
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

test("a dead service says so, and trying again works when it is back", async ({ page }) => {
  const servers = await startTwoServers();
  await page.goto(servers.siteOrigin);
  await page.locator("visavis-avatar [part~=launcher-button]").waitFor();
  servers.service.kill();
  await clickLauncher(page);
  await untilState(page, "error");
  expect(await seenErrors(page)).toContain("engine_failed");
  await expect.poll(() => panelText(page)).toContain("engine_failed");
  await servers.startService();
  await page.locator("visavis-avatar").getByRole("button", { name: "Try again" }).click();
  await untilState(page, "live");
  await untilFirstFrame(page);
});

test("a media process killed in mid-sentence is replaced, and the same session says the rest", async ({
  page,
}) => {
  const servers = await startTwoServers();
  const before = await openAvatar(page, servers.siteOrigin);
  await say(page, longText);
  await expect.poll(() => captionedWords(page)).toContain("three");
  for (const victim of servers.service.mediaPids()) process.kill(victim, "SIGKILL");
  await untilState(page, "reconnecting");
  await expect.poll(() => panelText(page)).toContain("Reconnecting");
  await untilState(page, "live");
  expect(await sessionId(page)).toBe(before);
  await untilAudible(page);
  await expect.poll(() => captionedWords(page)).toContain("seventeen.");
  expect(await storedEvents(servers.service, before)).not.toContain("SESSION_END");
});

test("a media process that hangs (a half-open peer) is found out by pings and replaced, and the same session says the rest", async ({
  page,
}) => {
  const servers = await startTwoServers();
  const before = await openAvatar(page, servers.siteOrigin);
  await say(page, longText);
  await expect.poll(() => captionedWords(page)).toContain("three");
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
      // It was replaced.
    }
});

test("a service killed in mid-sentence and started again: the same session goes on and says the rest", async ({
  page,
}) => {
  const servers = await startTwoServers();
  const before = await openAvatar(page, servers.siteOrigin);
  await say(page, longText);
  await expect.poll(() => captionedWords(page)).toContain("three");
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

test("a client kept away until its lease ran out: the session is told as lost, and a fresh one goes on with the conversation", async ({
  page,
}) => {
  const servers = await startTwoServers({ VISAVIS_LEASE_SEC: "8" });
  const before = await openAvatar(page, servers.siteOrigin);
  await ask(page, "How much is the Alder reading chair?");
  await expect.poll(async () => (await transcript(page)).at(-1)).toMatch(/^avatar: .* \(final\)$/);
  servers.relay.kill();
  servers.service.kill();
  await untilState(page, "reconnecting");
  // The service calls nobody lost at once when it starts: the client could not show a sign of life.
  await servers.startService();
  await expect
    .poll(async () => (await sessionView(servers.service, before))["termination_reason"], { timeout: 30_000 })
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

test("a relay killed in mid-sentence: the avatar talks on, and what is asked after its restart is answered", async ({
  page,
}) => {
  const servers = await startTwoServers();
  const before = await openAvatar(page, servers.siteOrigin);
  await say(page, longText);
  await expect.poll(() => captionedWords(page)).toContain("three");
  servers.relay.kill();
  await expect.poll(() => captionedWords(page)).toContain("seventeen.");
  await ask(page, "Is anybody there?");
  await expect.poll(() => seenErrors(page)).toEqual(["network"]);
  await servers.startRelay();
  const heard = untilAudible(page);
  await ask(page, "How much is the Rowan table?");
  await heard;
  expect(await sessionId(page)).toBe(before);
  expect(await seenStates(page)).toEqual(["connecting", "live"]);
});
