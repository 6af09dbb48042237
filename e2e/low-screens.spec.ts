/** Low and zoomed screens: the picture gives way, the content and the controls stay. */
import { expect, test, type Locator, type Page } from "./support/test.ts";
import { hostPage } from "./support/host-page.ts";
import { useSite } from "./support/served-site.ts";
import { askAndWait } from "./support/talk.ts";
import { avatar, endSession, launcher, snippet, untilState } from "./support/widget.ts";

const served = useSite({
  pages: (relay, context) => ({
    "/": hostPage(snippet(relay, context)),
    "/rtl": hostPage(snippet(relay, context)).replace('lang="en"', 'lang="en" dir="rtl"'),
  }),
});

/** The first is a window of 1280 × 1024 px at 400 %. */
const screens: [width: number, height: number, hasPicture: boolean, path: string][] = [
  [320, 256, false, "/"],
  [320, 256, false, "/rtl"],
  [640, 360, true, "/"],
  [667, 375, true, "/"],
  [1280, 400, true, "/"],
];

const button = (page: Page, name: string): Locator =>
  avatar(page).locator(".vv-shell").getByRole("button", { name });

/** Waits until the whole of it is in the window. */
async function expectWhole(part: Locator): Promise<void> {
  await expect
    .poll(() =>
      part.evaluate((element) => {
        const { left, top, right, bottom, width } = element.getBoundingClientRect();
        return width > 0 && left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
      }),
    )
    .toBe(true);
}

/** Waits until the visitor can bring the whole of it into the window. */
async function expectInReach(part: Locator): Promise<void> {
  await part.scrollIntoViewIfNeeded();
  await expectWhole(part);
}

for (const [width, height, hasPicture, path] of screens)
  test(`nothing is lost at ${width} × ${height} px on ${path}`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await page.goto(served.site.origin + path);
    await launcher(page).click();
    await untilState(page, "live");
    for (const name of ["Write to Mara", "End", "More", "Minimise"])
      await expectWhole(button(page, name).first());
    await askAndWait(page, "Which chairs are there?");
    await expectWhole(avatar(page).locator(".vv-caption").first());
    const picture = avatar(page).locator(".vv-view");
    await (hasPicture ? expect(picture).toBeVisible() : expect(picture).toBeHidden());

    await button(page, "More").click();
    await expect(picture).toBeHidden();
    for (const name of ["Settings", "End the conversation"]) await expectInReach(button(page, name));
    await button(page, "Settings").click();
    await expectInReach(avatar(page).locator(".vv-set .vv-item").last());
    await button(page, "Close").click();

    await button(page, "Write to Mara").first().click();
    await expectWhole(avatar(page).getByRole("textbox"));
    await expectWhole(button(page, "Send"));
    const log = avatar(page).locator(".vv-log");
    await expect.poll(() => log.evaluate(({ clientHeight }) => clientHeight)).toBeGreaterThan(44);

    await endSession(page);
    await untilState(page, "ended");
    await expectInReach(button(page, "Talk again"));
  });
