/** A service that runs apart from the relay is restarted during a conversation. */
import { expect, test } from "../support/test.ts";
import { hostPage, startHostSite, type HostSite } from "../support/host-page.ts";
import { recordEvents, seenErrors, seenStates } from "../support/page-records.ts";
import { untilModule } from "../support/page-modules.ts";
import { stopTime } from "../support/page-time.ts";
import { storedEvents } from "../support/service-api.ts";
import { ask, askAndWait, openAvatar, panelText, transcript } from "../support/talk.ts";
import { sessionId, snippet } from "../support/widget.ts";
import { startTwoServers, type TwoServers } from "../support/two-servers.ts";

let servers: TwoServers;
let site: HostSite;
test.beforeAll(async () => {
  // The session is not lost while a busy machine starts the service again.
  servers = await startTwoServers({ VISAVIS_LEASE_SEC: "300" });
  const relayOrigin = servers.relay.origin;
  const page = hostPage(snippet(relayOrigin, "ctx_demo", 'data-mode="text"'));
  site = await startHostSite({ "/": page }, { relayOrigin });
});
test.afterAll(async () => {
  await site.close();
  await servers.stop();
});

test("a service that is restarted: the visitor sees nothing of it, and a question asked meanwhile is answered", async ({
  page,
}) => {
  const question = "How much is the Alder reading chair?";
  await page.clock.install();
  await recordEvents(page);
  const loaded = untilModule(page, "turns");
  const before = await openAvatar(page, site.origin);
  await loaded;
  await askAndWait(page, "How much is the Birch chair?");
  const { service } = servers;
  // The page waits for the service for a limited time, of which a busy machine's start takes none.
  await stopTime(page);
  await service.stop();
  expect(service.output()).toContain("service stopping");
  await ask(page, question);
  await expect.poll(() => transcript(page)).toContain(`visitor: ${question} (waiting)`);
  expect(await panelText(page)).not.toMatch(/Reconnecting|connection/);
  await servers.startService();
  await page.clock.resume();
  await expect.poll(async () => (await transcript(page)).at(-1)).toMatch(/^avatar: .*480.* \(final\)$/);
  expect(await sessionId(page)).toBe(before);
  expect(await seenStates(page)).toEqual(["connecting", "live"]);
  expect(await seenErrors(page)).toEqual([]);
  expect((await transcript(page)).filter((line) => line.startsWith("visitor"))).toHaveLength(2);
  const stored = await storedEvents(servers.service, before);
  expect(stored.filter((kind) => kind === "SESSION_START")).toHaveLength(1);
  expect(stored).not.toContain("SESSION_END");
});
