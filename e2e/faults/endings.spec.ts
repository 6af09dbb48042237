import { expect, test, type Page } from "@playwright/test";
import { hostPage, startHostSite, type HostSite } from "../support/host-page.ts";
import { startFaultProxy, type FaultProxy } from "../support/fault-proxy.ts";
import { startServer, type Server } from "../support/stack.ts";
import { openAvatar, panelText, seenErrors, seenStates, type AvatarElement } from "../support/talk.ts";
import {
  avatar,
  callApi,
  recordConnections,
  recordEvents,
  sessionId,
  sessionView,
  snippet,
  storedEvents,
  untilState,
} from "../support/widget.ts";

let server: Server;
let proxy: FaultProxy;
let site: HostSite;

test.beforeAll(async () => {
  server = await startServer("start", { VISAVIS_ADDRESS_WRITES_PER_MINUTE: "10000" });
  proxy = await startFaultProxy(server.origin);
  site = await startHostSite({ "/": hostPage(snippet(proxy.origin)) }, { relayOrigin: proxy.origin });
});

test.afterAll(async () => {
  await site.close();
  await proxy.close();
  await server.stop();
});

test.beforeEach(() => {
  proxy.rule = null;
});

/** The browser reports that the path is lost for good, and no exchange gets through any more. */
async function loseForGood(page: Page): Promise<void> {
  proxy.rule = ({ path }) =>
    /\/(?:exchange|ice-servers)$/.test(path) ? { kind: "refuse", status: 503 } : undefined;
  await page.evaluate(() => {
    const connection = (window as unknown as { madeConnections: RTCPeerConnection[] }).madeConnections.at(
      -1,
    )!;
    Object.defineProperty(connection, "connectionState", { get: () => "failed", configurable: true });
    connection.onconnectionstatechange?.(new Event("connectionstatechange"));
  });
}

test("after a minute without success there is one error, and trying again works", async ({ page }) => {
  await recordConnections(page);
  await recordEvents(page);
  await page.clock.install();
  const id = await openAvatar(page, site.origin);
  await expect.poll(() => storedEvents(server, id)).toContain("SESSION_START");
  await page.clock.runFor(1_000);
  await loseForGood(page);
  await untilState(page, "reconnecting");
  await expect(async () => {
    await page.clock.fastForward(5_000);
    expect(await seenStates(page)).toContain("error");
  }).toPass({ timeout: 30_000 });
  expect(await seenErrors(page)).toEqual(["connection_failed"]);
  await expect.poll(() => panelText(page)).toContain("connection_failed");
  const lastWords = async () => (await storedEvents(server, id)).filter((kind) => /_END$|_ERROR$/.test(kind));
  await expect.poll(lastWords).toEqual(["SESSION_ERROR"]);
  proxy.rule = null;
  await page.locator("visavis-avatar").getByRole("button", { name: "Try again" }).click();
  await untilState(page, "live");
  expect(await sessionId(page)).not.toBe(id);
});

/** What can end a session; a page knows all but the operator's doing at once. */
const endings: Record<string, (page: Page, id: string) => Promise<unknown>> = {
  close: (page) => avatar(page).evaluate((element) => void (element as AvatarElement).end()),
  // The page hears of it at its next report.
  terminate: async (page, id) => {
    await callApi(server, `/api/v1/session/${id}/event/create/`, {
      method: "POST",
      body: JSON.stringify({ event: "SESSION_END", detail: "by the operator" }),
    });
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  },
  failed: async (page) => {
    await loseForGood(page);
    await page.clock.fastForward(70_000);
  },
  unmount: (page) => page.evaluate(() => document.querySelector("visavis-avatar")?.remove()),
};

function ordersOf(names: string[]): string[][] {
  if (names.length < 2) return [names];
  return names.flatMap((name) =>
    ordersOf(names.filter((other) => other !== name)).map((rest) => [name, ...rest]),
  );
}

test("close, terminate, failed and unmount in every order: one last word of the page at most, one end", async ({
  browser,
}) => {
  test.setTimeout(150_000);
  for (const order of ordersOf(Object.keys(endings))) {
    const context = await browser.newContext();
    const page = await context.newPage();
    proxy.rule = null;
    await recordConnections(page);
    await recordEvents(page);
    await page.clock.install();
    const id = await openAvatar(page, site.origin);
    await page.clock.runFor(500);
    await expect.poll(() => storedEvents(server, id)).toContain("SESSION_START");
    for (const name of order)
      if (await page.locator("visavis-avatar").count()) await endings[name]!(page, id);
    await expect
      .poll(async () => (await sessionView(server, id))["termination_reason"], { message: order.join(" ") })
      .not.toBeNull();
    await context.close();
    const events = (await (await callApi(server, `/api/v1/session/${id}/event/`)).json()) as {
      event: string;
      detail: string | null;
    }[];
    const ofThePage = events.filter(
      ({ event, detail }) => /_END$|_ERROR$/.test(event) && detail !== "by the operator",
    );
    expect(ofThePage.length, order.join(" ")).toBeLessThanOrEqual(1);
    if (order[0] !== "terminate") expect(ofThePage, order.join(" ")).toHaveLength(1);
    expect(events.filter(({ event }) => event === "SESSION_START")).toHaveLength(1);
  }
});
