import { expect, test } from "@playwright/test";
import { hostPage, startHostSite, type HostSite } from "./support/host-page.ts";
import { startServer, type Server } from "./support/stack.ts";
import { storedEvents } from "./support/store.ts";
import { callApi, clickLauncher, sessionId, snippet, untilFirstFrame, untilState } from "./support/widget.ts";

let server: Server;
let site: HostSite;

test.beforeAll(async () => {
  server = await startServer("start", { VISAVIS_LEASE_SEC: "5" });
  site = await startHostSite({ "/": hostPage(snippet(server.origin)) }, { relayOrigin: server.origin });
});

test.afterAll(async () => {
  await site.close();
  await server.stop();
});

const reasonOf = async (id: string): Promise<unknown> =>
  ((await (await callApi(server, `/api/v1/session/${id}/`)).json()) as Record<string, unknown>)[
    "termination_reason"
  ];

test("a closed tab sends one END", async ({ page }) => {
  await page.goto(site.origin);
  await clickLauncher(page);
  await untilState(page, "live");
  await untilFirstFrame(page);
  const id = await sessionId(page);
  await page.close({ runBeforeUnload: false });
  await expect.poll(() => reasonOf(id), { timeout: 10_000 }).toBe("GRACEFUL_TERMINATION");
  expect(storedEvents(server, id).filter((kind) => kind === "SESSION_END")).toHaveLength(1);
});

test("a killed browser is ended by the lease", async ({ playwright, browserName }, testInfo) => {
  const browser = await playwright[browserName].launch(testInfo.project.use.launchOptions);
  const page = await browser.newPage();
  await page.goto(site.origin);
  await clickLauncher(page);
  await untilState(page, "live");
  await untilFirstFrame(page);
  const id = await sessionId(page);
  // A page that dies without a word: its renderer crashes.
  const crash = page.waitForEvent("crash");
  await page.goto("chrome://crash").catch(() => undefined);
  await crash;
  await expect.poll(() => reasonOf(id), { timeout: 25_000 }).toMatch(/LOST_AFTER_CONNECTION|GRACEFUL/);
  const ended = await reasonOf(id);
  if (ended === "GRACEFUL_TERMINATION")
    expect(storedEvents(server, id).filter((kind) => kind === "SESSION_END")).toHaveLength(1);
  await browser.close();
});
