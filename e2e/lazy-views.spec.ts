import { expect, test, type Page } from "@playwright/test";
import { hostPage, startHostSite, type HostSite } from "./support/host-page.ts";
import { startServer, type Server } from "./support/stack.ts";
import {
  avatar,
  changeContext,
  clickLauncher,
  recordEvents,
  seenEvents,
  snippet,
  untilState,
} from "./support/widget.ts";

/** Views that are loaded after the first frame, over a network that loses them. */
let server: Server;
let site: HostSite;

test.beforeAll(async () => {
  server = await startServer();
  site = await startHostSite(
    {
      "/": hostPage(snippet(server.origin)),
      "/consent": hostPage(snippet(server.origin, "ctx_tomas")),
      "/inline": hostPage(
        `<div id="here"></div>${snippet(server.origin, "ctx_demo", 'data-variant="inline" data-target="#here"')}`,
      ),
    },
    { relayOrigin: server.origin },
  );
  await changeContext(server, "ctx_tomas", ({ embed_config }) => {
    embed_config["ui"] = { ...(embed_config["ui"] as object), consent_text: "We keep nothing. All right?" };
  });
});

test.afterAll(async () => {
  await site.close();
  await server.stop();
});

const panel = (page: Page) => avatar(page).getByRole("dialog");

async function lose(page: Page, view: string): Promise<() => Promise<void>> {
  const address = `**/assets/${view}-*.js`;
  await page.route(address, (route) => route.abort());
  return () => page.unroute(address);
}

async function expectLoadError(page: Page): Promise<void> {
  await expect(avatar(page).getByRole("alert")).toContainText("couldn’t be loaded");
}

test("a consent page that could not be loaded says so, and Retry loads it", async ({ page }) => {
  await recordEvents(page);
  const restore = await lose(page, "pages");
  await page.goto(`${site.origin}/consent`);
  await clickLauncher(page);
  await expectLoadError(page);
  expect(await seenEvents(page)).toContainEqual({
    type: "visavis-error",
    detail: { code: "network", message: expect.stringContaining("pages") },
  });
  const retry = avatar(page).getByRole("button", { name: "Try again" });
  await retry.click();
  await expectLoadError(page);
  await restore();
  await retry.click();
  await expect(panel(page)).toContainText("We keep nothing. All right?");
  await expect(avatar(page).getByRole("alert")).toHaveCount(0);
  await avatar(page).getByRole("button", { name: "Start the conversation" }).click();
  await untilState(page, "live");
});

test("controls that could not be loaded leave a way to try again and to close", async ({ page }) => {
  const restore = await lose(page, "chrome");
  await page.goto(site.origin);
  await clickLauncher(page);
  await expectLoadError(page);
  await avatar(page).getByRole("button", { name: "Close" }).click();
  await expect(panel(page)).toBeHidden();
  await clickLauncher(page);
  await restore();
  await avatar(page).getByRole("button", { name: "Try again" }).click();
  await expect(avatar(page).getByRole("button", { name: "End the conversation" })).toBeVisible();
});

test("what could not be loaded is loaded again when the browser is back online", async ({
  page,
  context,
}) => {
  const restore = await lose(page, "overlay-controls");
  await page.goto(`${site.origin}/inline`);
  await clickLauncher(page);
  await expectLoadError(page);
  await restore();
  await context.setOffline(true);
  await context.setOffline(false);
  await expect(avatar(page).getByRole("alert")).toHaveCount(0);
  await expect(avatar(page).getByRole("button", { name: "End the conversation" })).toBeVisible();
});
