import { expect, test } from "@playwright/test";
import { hostPage, startHostSite, type HostSite } from "../support/host-page.ts";
import { startFaultProxy, type FaultProxy, type ProxiedRequest } from "../support/fault-proxy.ts";
import { startServer, type Server } from "../support/stack.ts";
import { ask, openAvatar, panelText, seenErrors, seenStates, transcript } from "../support/talk.ts";
import {
  clickLauncher,
  recordConnections,
  recordEvents,
  sessionId,
  sessionView,
  snippet,
  storedEvents,
  untilAudible,
  untilState,
} from "../support/widget.ts";

let server: Server;
let proxy: FaultProxy;
let site: HostSite;

test.beforeAll(async () => {
  server = await startServer();
  proxy = await startFaultProxy(server.origin);
  site = await startHostSite({ "/": hostPage(snippet(proxy.origin)) }, { relayOrigin: proxy.origin });
});

test.afterAll(async () => {
  await site.close();
  await proxy.close();
  await server.stop();
});

test.beforeEach(async ({ page }) => {
  proxy.rule = null;
  proxy.requests.length = 0;
  await recordConnections(page);
  await recordEvents(page);
});

const isCreate = ({ method, path }: ProxiedRequest): boolean =>
  method === "POST" && path === "/embed/v1/sessions";
const isEvent = ({ path }: ProxiedRequest): boolean => path.endsWith("/event");
const isQuestion = ({ path }: ProxiedRequest): boolean => path.endsWith("/llm");
const isExchange = ({ path }: ProxiedRequest): boolean => path.endsWith("/exchange");
/** The first request of an attempt to reconnect: where no servers are known they are asked for again. */
const isReconnect = (request: ProxiedRequest): boolean =>
  isExchange(request) || request.path.endsWith("/ice-servers");

const limited = (waitSec: number) => ({
  kind: "refuse" as const,
  status: 429,
  headers: { "Retry-After": String(waitSec) },
  body: { code: "G0005", message: "Slow down.", status: "TOO_MANY_REQUESTS" },
});

test("a rate limit at the start: it is told, and nothing is sent before the visitor tries again", async ({
  page,
}) => {
  let refused = 0;
  proxy.rule = (request) => (isCreate(request) && !refused++ ? limited(3) : undefined);
  await page.goto(site.origin);
  await clickLauncher(page);
  await untilState(page, "error");
  expect(await seenErrors(page)).toEqual(["rate_limited"]);
  const tryAgain = page.locator("visavis-avatar").getByRole("button", { name: "Try again" });
  await expect(async () => {
    await tryAgain.click({ timeout: 1_000 });
    await expect(tryAgain).not.toBeVisible({ timeout: 200 });
  }).toPass();
  await untilState(page, "live");
  expect(proxy.requests.filter(isCreate)).toHaveLength(2);
  const [first, second] = proxy.requests.filter(isCreate);
  expect(second!.atMs - first!.atMs).toBeGreaterThanOrEqual(3_000);
});

test("a rate limit while reconnecting: no exchange before its reset", async ({ page }) => {
  const id = await openAvatar(page, site.origin);
  let refusedAtMs = 0;
  proxy.rule = (request) => {
    if (!isExchange(request) || refusedAtMs > 0) return undefined;
    refusedAtMs = request.atMs;
    return limited(4);
  };
  for (const pid of server.mediaPids()) process.kill(pid, "SIGKILL");
  await untilState(page, "reconnecting");
  await untilState(page, "live");
  const next = proxy.requests.find((request) => isExchange(request) && request.atMs > refusedAtMs);
  expect(next!.atMs - refusedAtMs).toBeGreaterThanOrEqual(4_000);
  expect(await sessionId(page)).toBe(id);
});

test("rate limits on reports and questions: the session stays live, a question is told and not asked again", async ({
  page,
}) => {
  const id = await openAvatar(page, site.origin);
  await expect.poll(() => storedEvents(server, id)).toContain("SESSION_START");
  proxy.rule = (request) => (isEvent(request) || isQuestion(request) ? limited(1) : undefined);
  await ask(page, "How much is the Alder reading chair?");
  await expect.poll(() => seenErrors(page)).toEqual(["rate_limited"]);
  const refused = proxy.requests.filter(isEvent).length;
  // A beat is due every 10 s, and after a refusal once its reset has passed.
  await expect
    .poll(() => proxy.requests.filter(isEvent).length, { timeout: 20_000 })
    .toBeGreaterThan(refused + 1);
  const beats = proxy.requests.filter(isEvent).slice(refused);
  expect(beats[1]!.atMs - beats[0]!.atMs).toBeGreaterThanOrEqual(1_000);
  proxy.rule = null;
  await expect.poll(() => storedEvents(server, id), { timeout: 20_000 }).toContain("SESSION_DURING");
  expect(proxy.requests.filter(isQuestion)).toHaveLength(1);
  expect(await seenStates(page)).toEqual(["connecting", "live"]);
});

test("a storm of 5xx: reports back off, the session outlives it, and there is never a second one", async ({
  page,
}) => {
  const id = await openAvatar(page, site.origin);
  await expect.poll(() => storedEvents(server, id)).toContain("SESSION_START");
  // The storm is to meet requests, not the code that makes them, which is fetched after the first picture.
  await expect.poll(() => proxy.requests.some(({ path }) => path.includes("/recovery-"))).toBe(true);
  proxy.rule = (request) =>
    request.path.startsWith("/assets/") ? undefined : { kind: "refuse", status: 503 };
  const before = proxy.requests.length;
  await ask(page, "How much is the Alder reading chair?");
  await expect.poll(() => seenErrors(page)).toHaveLength(1);
  for (const pid of server.mediaPids()) process.kill(pid, "SIGKILL");
  await untilState(page, "reconnecting");
  await expect
    .poll(() => proxy.requests.slice(before).filter(isReconnect).length, { timeout: 20_000 })
    .toBeGreaterThanOrEqual(4);
  expect(proxy.requests.slice(before).filter(isQuestion)).toHaveLength(1);
  proxy.rule = null;
  await untilState(page, "live");
  expect(await sessionId(page)).toBe(id);
  expect(proxy.requests.filter(isCreate)).toHaveLength(1);
  const heard = untilAudible(page);
  await ask(page, "How much is the Rowan table?");
  await heard;
});

test("an answer to the session's creation that is lost on its way is not asked for again", async ({
  page,
}) => {
  proxy.rule = (request) => (isCreate(request) ? { kind: "spoil", status: 502 } : undefined);
  await page.goto(site.origin);
  await clickLauncher(page);
  await untilState(page, "error");
  expect(proxy.requests.filter(isCreate)).toHaveLength(1);
  await expect.poll(() => panelText(page)).toContain("connection_failed");
});

test("an answer cut in its middle keeps what came, marked as such, and is not asked for again", async ({
  page,
}) => {
  await openAvatar(page, site.origin);
  proxy.rule = (request) => (isQuestion(request) ? { kind: "cut", after: "data:" } : undefined);
  await ask(page, "How much is the Alder reading chair?");
  await expect.poll(() => seenErrors(page)).toEqual(["engine_failed"]);
  const said = await transcript(page);
  expect(said.filter((line) => line.startsWith("visitor:"))).toEqual([
    "visitor: How much is the Alder reading chair? (final)",
  ]);
  expect(said.at(-1)).toMatch(/^avatar: .+ \(interrupted\)$/);
  proxy.rule = null;
  expect(proxy.requests.filter(isQuestion)).toHaveLength(1);
  await ask(page, "Do you deliver to Austria?");
  await expect.poll(async () => (await transcript(page)).at(-1)).toMatch(/^avatar: .+ \(final\)$/);
  expect(await seenStates(page)).toEqual(["connecting", "live"]);
});

for (const kind of ["silence", "stall"] as const)
  test(`an answer that never comes (${kind}) is given up after its limit, and the conversation goes on`, async ({
    page,
  }) => {
    await openAvatar(page, site.origin);
    proxy.rule = (request) => (isQuestion(request) ? { kind } : undefined);
    await ask(page, "How much is the Alder reading chair?");
    await expect.poll(() => seenErrors(page), { timeout: 25_000 }).toEqual(["engine_failed"]);
    proxy.rule = null;
    expect(proxy.requests.filter(isQuestion)).toHaveLength(1);
    await ask(page, "Do you deliver to Austria?");
    await expect.poll(async () => (await transcript(page)).at(-1)).toMatch(/^avatar: .+ \(final\)$/);
  });

test("clocks an hour apart change nothing: the session starts, beats, waits out limits and ends", async ({
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
    proxy.requests.length = 0;
    const id = await openAvatar(page, site.origin);
    const heard = untilAudible(page);
    await ask(page, "How much is the Alder reading chair?");
    await heard;
    // The first beat is refused for a second, told as a span and as a moment of the server's own clock.
    let refusals = 0;
    proxy.rule = (request) => {
      if (!isEvent(request) || refusals > 0) return undefined;
      refusals += 1;
      const resetSec = String(Math.ceil(Date.now() / 1000) + 1);
      return {
        kind: "refuse",
        status: 429,
        headers: { "Retry-After": "1", "X-RateLimit-Reset": resetSec },
      };
    };
    await expect.poll(() => storedEvents(server, id), { timeout: 30_000 }).toContain("SESSION_DURING");
    proxy.rule = null;
    await page
      .locator("visavis-avatar")
      .evaluate((element) => (element as HTMLElement & { end(): Promise<void> }).end());
    await expect
      .poll(async () => (await sessionView(server, id))["termination_reason"])
      .toBe("GRACEFUL_TERMINATION");
    expect(await seenErrors(page)).toEqual([]);
    await context.close();
  }
});
