import { expect, test } from "@playwright/test";
import { hostPage, startHostSite, type HostSite } from "./support/host-page.ts";
import { startServer, type Server } from "./support/stack.ts";
import {
  callApi,
  clickLauncher,
  sessionId,
  snippet,
  storedEvents,
  untilFirstFrame,
  untilState,
} from "./support/widget.ts";

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
  expect((await storedEvents(server, id)).filter((kind) => kind === "SESSION_END")).toHaveLength(1);
});

test("a killed browser is ended by the lease", async ({ playwright }, testInfo) => {
  const browserServer = await playwright.chromium.launchServer(testInfo.project.use.launchOptions);
  const browser = await playwright.chromium.connect(browserServer.wsEndpoint());
  const page = await browser.newPage();
  await page.goto(site.origin);
  await clickLauncher(page);
  await untilState(page, "live");
  await untilFirstFrame(page);
  const id = await sessionId(page);
  await browserServer.kill();
  await expect.poll(() => reasonOf(id), { timeout: 25_000 }).toBe("SESSION_LOST_AFTER_CONNECTION");
  expect(await storedEvents(server, id)).not.toContain("SESSION_END");
});
