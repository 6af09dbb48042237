import { expect, test, type Page } from "./support/test.ts";
import { violations } from "./support/axe.ts";
import { hostPage } from "./support/host-page.ts";
import { useProxiedSite } from "./support/served-site.ts";
import { ask, transcript } from "./support/talk.ts";
import {
  avatar,
  clickLauncher,
  endSession,
  launcher,
  snippet,
  stateOf,
  untilAnimationsEnd,
  untilFirstFrame,
  untilState,
  withPicture,
} from "./support/widget.ts";

const served = useProxiedSite({
  pages: (relayOrigin, context) => ({
    "/": hostPage(snippet(relayOrigin, context, withPicture)),
    "/rtl": hostPage(snippet(relayOrigin, context, 'data-lang="ar"')).replace(
      '<html lang="en">',
      '<html lang="ar" dir="rtl">',
    ),
  }),
});

/** Fails when axe finds a problem. A text that is fading in has less contrast for a moment, so only lasting problems count. */
async function expectNoViolations(page: Page, state: string): Promise<void> {
  await untilAnimationsEnd(page);
  const include = "visavis-avatar";
  await expect.poll(() => violations(page, { include }), state).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  await untilAnimationsEnd(page);
  await expect
    .poll(() => violations(page, { include, only: ["color-contrast"] }), `${state}, dark`)
    .toEqual([]);
  await page.emulateMedia({ colorScheme: "light" });
}

async function conversation(page: Page, path: string): Promise<void> {
  await page.goto(`${served.site.origin}${path}`);
  await launcher(page).waitFor();
  await expectNoViolations(page, "launcher");
  await clickLauncher(page);
  await untilState(page, "live");
  await untilFirstFrame(page);
  await expectNoViolations(page, "live");
  await ask(page, "Can I send it back?");
  await expect.poll(() => transcript(page)).toContain("visitor: Can I send it back? (final)");
  await expectNoViolations(page, "answering");
  await endSession(page);
  await untilState(page, "ended");
  await expect(avatar(page).getByRole("heading", { name: /Thanks for talking|شكرًا/ })).toBeVisible();
  await expectNoViolations(page, "ended");
}

test("axe finds nothing in a conversation, in light and in dark", async ({ page }) => {
  await conversation(page, "/");
});

test("axe finds nothing right to left, in forced colours, 320 pixels wide", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 568 });
  await page.emulateMedia({ forcedColors: "active" });
  await conversation(page, "/rtl");
});

test("everything works by keyboard, and the focus comes back", async ({ page }) => {
  await page.goto(served.site.origin);
  const button = launcher(page);
  await button.waitFor();
  await page.keyboard.press("Tab");
  await expect(button).toBeFocused();
  await page.keyboard.press("Enter");
  await untilState(page, "live");
  await untilFirstFrame(page);
  const focused = () => avatar(page).evaluate((element) => element.shadowRoot?.activeElement?.tagName);
  await expect.poll(focused, "the focus is inside the panel").toBeTruthy();
  await page.keyboard.press("Escape");
  await expect(button).toBeFocused();
  expect(await stateOf(page)).toBe("live");
});

/** What screen readers are told of the state at the moment. */
const told = (page: Page) => avatar(page).locator(".vv-shell > [role=status]");

/** Longer than a state has to last until screen readers are told of it. */
const settledMs = 3_000;

test("on the error page screen readers hear what happened, and no longer that it is connecting", async ({
  page,
}) => {
  served.proxy.rule = ({ path }) =>
    path.endsWith("/sessions") ? { kind: "refuse", status: 503 } : undefined;
  await page.clock.install();
  await page.goto(served.site.origin);
  await clickLauncher(page);
  await untilState(page, "error");
  await expect(avatar(page).getByRole("alert")).toContainText("Mara isn’t available right now");
  await page.clock.fastForward(settledMs);
  await expect(told(page)).toHaveText("");
});

test("after end() screen readers hear that it is over, also when it ends while it is connecting", async ({
  page,
}) => {
  await page.clock.install();
  await page.goto(served.site.origin);
  await clickLauncher(page);
  await untilState(page, "live");
  await endSession(page);
  await expect(told(page)).toHaveText("Thanks for talking");
  await page.clock.fastForward(settledMs);
  await expect(told(page)).toHaveText("Thanks for talking");

  await page.reload();
  served.proxy.rule = ({ path }) => (path.endsWith("/sessions") ? { kind: "silence" } : undefined);
  await clickLauncher(page);
  await untilState(page, "connecting");
  await page.clock.fastForward(settledMs);
  await expect(told(page)).toHaveText("Connecting");
  await endSession(page);
  await untilState(page, "ended");
  await page.clock.fastForward(settledMs);
  await expect(told(page)).not.toHaveText("Connecting");
});
