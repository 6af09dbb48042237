import { expect, test } from "../../support/test.ts";
import { type ProxiedRequest } from "../../support/fault-proxy.ts";
import {
  recordConnections,
  recordEvents,
  seenErrors,
  seenStates,
  untilAudible,
  untilSeenState,
} from "../../support/page-records.ts";
import { useProxiedSite } from "../../support/served-site.ts";
import { storedEvents, terminationReason } from "../../support/service-api.ts";
import { ask, openAvatar, panelText, transcript } from "../../support/talk.ts";
import {
  clickLauncher,
  endSession,
  sessionId,
  stateOf,
  tryAgainButton,
  untilState,
} from "../../support/widget.ts";

// Tests end its media processes.
const served = useProxiedSite({ env: {} });

test.beforeEach(async ({ page }) => {
  await recordConnections(page);
  await recordEvents(page);
});

const isCreate = ({ method, path }: ProxiedRequest): boolean =>
  method === "POST" && path === "/embed/v1/sessions";
const isEvent = ({ path }: ProxiedRequest): boolean => path.endsWith("/event");
const isQuestion = ({ path }: ProxiedRequest): boolean => path.endsWith("/llm");
const isExchange = ({ path }: ProxiedRequest): boolean => path.endsWith("/exchange");
/** The first request of an attempt to reconnect: a client without ICE servers fetches them first. */
const isReconnect = (request: ProxiedRequest): boolean =>
  isExchange(request) || request.path.endsWith("/ice-servers");

const limited = (waitSec: number) => ({
  kind: "refuse" as const,
  status: 429,
  headers: { "Retry-After": String(waitSec) },
  body: { code: "G0005", message: "Slow down.", status: "TOO_MANY_REQUESTS" },
});

test("a rate limit at the start is reported, and nothing is sent before the visitor tries again", async ({
  page,
}) => {
  let refused = 0;
  served.proxy.rule = (request) => (isCreate(request) && !refused++ ? limited(3) : undefined);
  await page.goto(served.site.origin);
  await clickLauncher(page);
  await untilState(page, "error");
  expect(await seenErrors(page)).toEqual(["rate_limited"]);
  const tryAgain = tryAgainButton(page);
  await expect(tryAgain).toBeVisible();
  await expect(async () => {
    // A click before the limit's end does nothing, and the one after it takes the button away.
    await tryAgain.evaluateAll((buttons: HTMLElement[]) => buttons.forEach((button) => button.click()));
    expect(await stateOf(page)).not.toBe("error");
  }).toPass();
  await untilState(page, "live");
  expect(served.proxy.requests.filter(isCreate)).toHaveLength(2);
  const [first, second] = served.proxy.requests.filter(isCreate);
  expect(second!.atMs - first!.atMs).toBeGreaterThanOrEqual(3_000);
});

test("a rate limit while reconnecting: no exchange before its reset", async ({ page }) => {
  const id = await openAvatar(page, served.site.origin);
  let refusedAtMs = 0;
  served.proxy.rule = (request) => {
    if (!isExchange(request) || refusedAtMs > 0) return undefined;
    refusedAtMs = request.atMs;
    return limited(4);
  };
  for (const pid of served.server.mediaPids()) process.kill(pid, "SIGKILL");
  await untilSeenState(page, "reconnecting");
  await untilState(page, "live");
  const next = served.proxy.requests.find((request) => isExchange(request) && request.atMs > refusedAtMs);
  expect(next!.atMs - refusedAtMs).toBeGreaterThanOrEqual(4_000);
  expect(await sessionId(page)).toBe(id);
});

test("rate limits on reports and questions: the session stays live, a refused question is reported and not sent again", async ({
  page,
}) => {
  const id = await openAvatar(page, served.site.origin);
  await expect.poll(() => storedEvents(served.server, id)).toContain("SESSION_START");
  served.proxy.rule = (request) => (isEvent(request) || isQuestion(request) ? limited(1) : undefined);
  await ask(page, "How much is the Alder reading chair?");
  await expect.poll(() => seenErrors(page)).toEqual(["rate_limited"]);
  const refused = served.proxy.requests.filter(isEvent).length;
  // A heartbeat is due every 10 s, and after a refusal as soon as the limit resets.
  await expect.poll(() => served.proxy.requests.filter(isEvent).length).toBeGreaterThan(refused + 1);
  const heartbeats = served.proxy.requests.filter(isEvent).slice(refused);
  expect(heartbeats[1]!.atMs - heartbeats[0]!.atMs).toBeGreaterThanOrEqual(1_000);
  served.proxy.rule = null;
  await expect.poll(() => storedEvents(served.server, id)).toContain("SESSION_DURING");
  expect(served.proxy.requests.filter(isQuestion)).toHaveLength(1);
  expect(await seenStates(page)).toEqual(["connecting", "live"]);
});

test("a storm of 5xx: reports back off, the session survives, and there is never a second one", async ({
  page,
}) => {
  const id = await openAvatar(page, served.site.origin);
  await expect.poll(() => storedEvents(served.server, id)).toContain("SESSION_START");
  // The storm must hit requests, not the download of the recovery module, which starts after the first frame.
  await expect.poll(() => served.proxy.requests.some(({ path }) => path.includes("/recovery-"))).toBe(true);
  // It ends with the fourth attempt: the page gives up after a minute.
  let attempts = 0;
  served.proxy.rule = (request) => {
    if (isReconnect(request)) attempts++;
    return attempts > 4 || request.path.startsWith("/assets/") ? undefined : { kind: "refuse", status: 502 };
  };
  const before = served.proxy.requests.length;
  await ask(page, "How much is the Alder reading chair?");
  await expect.poll(() => seenErrors(page)).toHaveLength(1);
  for (const pid of served.server.mediaPids()) process.kill(pid, "SIGKILL");
  await untilSeenState(page, "reconnecting");
  await expect.poll(() => attempts).toBeGreaterThan(4);
  expect(served.proxy.requests.slice(before).filter(isQuestion)).toHaveLength(1);
  await untilState(page, "live");
  expect(await sessionId(page)).toBe(id);
  expect(served.proxy.requests.filter(isCreate)).toHaveLength(1);
  const heard = untilAudible(page);
  await ask(page, "How much is the Rowan table?");
  await heard;
});

test("a lost response to the session's creation is not retried", async ({ page }) => {
  served.proxy.rule = (request) => (isCreate(request) ? { kind: "spoil", status: 502 } : undefined);
  await page.goto(served.site.origin);
  await clickLauncher(page);
  await untilState(page, "error");
  expect(served.proxy.requests.filter(isCreate)).toHaveLength(1);
  await expect.poll(() => panelText(page)).toContain("connection_failed");
});

test("an answer cut off in the middle keeps its text, marked as cut off, and is not requested again", async ({
  page,
}) => {
  await openAvatar(page, served.site.origin);
  let cut = (): void => undefined;
  const when = new Promise<void>((resolve) => (cut = resolve));
  served.proxy.rule = (request) => (isQuestion(request) ? { kind: "cut", after: "data:", when } : undefined);
  await ask(page, "How much is the Alder reading chair?");
  // A browser throws away what it has not read when a connection breaks.
  await expect.poll(async () => (await transcript(page)).at(-1)).toMatch(/^avatar: .+ \(streaming\)$/);
  cut();
  await expect.poll(() => seenErrors(page)).toEqual(["engine_failed"]);
  const said = await transcript(page);
  expect(said.filter((line) => line.startsWith("visitor:"))).toEqual([
    "visitor: How much is the Alder reading chair? (final)",
  ]);
  expect(said.at(-1)).toMatch(/^avatar: .+ \(cut\)$/);
  served.proxy.rule = null;
  expect(served.proxy.requests.filter(isQuestion)).toHaveLength(1);
  await ask(page, "How much is the Birch chair?");
  await expect.poll(async () => (await transcript(page)).at(-1)).toMatch(/^avatar: .+ \(final\)$/);
  expect(await seenStates(page)).toEqual(["connecting", "live"]);
});

for (const kind of ["silence", "stall"] as const)
  test(`an answer that never comes (${kind}) times out, and the conversation goes on`, async ({ page }) => {
    await openAvatar(page, served.site.origin);
    served.proxy.rule = (request) => (isQuestion(request) ? { kind } : undefined);
    await ask(page, "How much is the Alder reading chair?");
    await expect.poll(() => seenErrors(page)).toEqual(["engine_failed"]);
    served.proxy.rule = null;
    expect(served.proxy.requests.filter(isQuestion)).toHaveLength(1);
    await ask(page, "How much is the Birch chair?");
    await expect.poll(async () => (await transcript(page)).at(-1)).toMatch(/^avatar: .+ \(final\)$/);
  });

test("clocks an hour apart change nothing: the session starts, sends heartbeats, waits for rate limits and ends", async ({
  browser,
}) => {
  for (const hours of [1, -1]) {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.addInitScript((offsetMs) => {
      const Native = Date;
      window.Date = class extends Native {
        constructor(value?: number) {
          super(value ?? Native.now() + offsetMs);
        }
        static override now(): number {
          return Native.now() + offsetMs;
        }
      } as DateConstructor;
    }, hours * 3_600_000);
    await recordConnections(page);
    await recordEvents(page);
    served.proxy.requests.length = 0;
    const id = await openAvatar(page, served.site.origin);
    const heard = untilAudible(page);
    await ask(page, "How much is the Alder reading chair?");
    await heard;
    // The first heartbeat is refused for a second, given as a duration and as a time of the server's clock.
    let refusals = 0;
    served.proxy.rule = (request) => {
      if (!isEvent(request) || refusals > 0) return undefined;
      refusals += 1;
      const resetSec = String(Math.ceil(Date.now() / 1000) + 1);
      return {
        kind: "refuse",
        status: 429,
        headers: { "Retry-After": "1", "X-RateLimit-Reset": resetSec },
      };
    };
    await expect.poll(() => storedEvents(served.server, id)).toContain("SESSION_DURING");
    served.proxy.rule = null;
    await endSession(page);
    await expect.poll(() => terminationReason(served.server, id)).toBe("GRACEFUL_TERMINATION");
    expect(await seenErrors(page)).toEqual([]);
    await context.close();
  }
});
