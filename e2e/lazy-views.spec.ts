import { expect, test, type Page } from "./support/test.ts";
import { hostPage } from "./support/host-page.ts";
import { recordEvents, seenEvents } from "./support/page-records.ts";
import { useServer, useSite } from "./support/served-site.ts";
import { avatar, clickLauncher, endSession, snippet, untilState } from "./support/widget.ts";

const asking = useServer({
  change: ({ embed_config }) => {
    embed_config["ui"] = { ...(embed_config["ui"] as object), consent_text: "We keep nothing. All right?" };
  },
});

/** Views that are loaded after the first frame, over a network that fails to deliver them. */
const served = useSite({
  pages: (relayOrigin, context) => ({
    "/": hostPage(snippet(relayOrigin, context)),
    "/consent": hostPage(snippet(relayOrigin, asking.context)),
    "/inline": hostPage(
      `<div id="here"></div>${snippet(relayOrigin, context, 'data-variant="inline" data-target="#here"')}`,
    ),
  }),
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

test("a view that failed to load shows an error, and is loaded by Retry or when the browser is back online", async ({
  page,
  context,
}) => {
  await recordEvents(page);
  const retry = avatar(page).getByRole("button", { name: "Try again" });
  let restore = await lose(page, "pages");
  await page.goto(`${served.site.origin}/consent`);
  await clickLauncher(page);
  await expectLoadError(page);
  await expect
    .poll(() => seenEvents(page))
    .toContainEqual({
      type: "visavis-error",
      detail: { code: "network", message: expect.stringContaining("pages") },
    });
  await retry.click();
  await expectLoadError(page);
  await restore();
  await retry.click();
  await expect(panel(page)).toContainText("We keep nothing. All right?");
  await expect(avatar(page).getByRole("alert")).toHaveCount(0);

  restore = await lose(page, "chrome");
  await page.goto(served.site.origin);
  await clickLauncher(page);
  await expectLoadError(page);
  await avatar(page).getByRole("button", { name: "Close" }).click();
  await expect(panel(page)).toBeHidden();
  await clickLauncher(page);
  await restore();
  await retry.click();
  await expect(avatar(page).getByRole("button", { name: "End the conversation" })).toBeVisible();
  await endSession(page);

  restore = await lose(page, "overlay-controls");
  await page.goto(`${served.site.origin}/inline`);
  await clickLauncher(page);
  await expectLoadError(page);
  await restore();
  // Offline while it still connects, the start itself would fail.
  await untilState(page, "live");
  await context.setOffline(true);
  await expect.poll(() => page.evaluate(() => navigator.onLine)).toBe(false);
  await context.setOffline(false);
  await expect(avatar(page).getByRole("alert")).toHaveCount(0);
  await expect(avatar(page).getByRole("button", { name: "End the conversation" })).toBeVisible();
});
