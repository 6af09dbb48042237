/** Low and zoomed screens: the picture gives way, the content and the controls stay. */
import { expect, test, type Locator, type Page } from "./support/test.ts";
import { openGallery, showState } from "./support/gallery-page.ts";
import { avatar } from "./support/widget.ts";

/** The first is a window of 1280 × 1024 px at 400 %. */
const screens: [width: number, height: number, hasPicture: boolean, dir: "ltr" | "rtl"][] = [
  [320, 256, false, "ltr"],
  [320, 256, false, "rtl"],
  [640, 360, true, "ltr"],
  [667, 375, true, "ltr"],
  [1280, 400, true, "ltr"],
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

test("nothing is lost on a low or zoomed screen", async ({ page }) => {
  await openGallery(page);
  for (const [width, height, hasPicture, dir] of screens) {
    await page.setViewportSize({ width, height });
    await showState(page, "ready", { dir });
    for (const name of ["Write to Mara", "End", "More", "Minimise"])
      await expectWhole(button(page, name).first());
    await page.evaluate(() => {
      const text = "The Alder chair is 68 centimetres wide, so it fits beside most bookcases.";
      window.gallerySession.write("avatar", text, "streaming");
      window.gallerySession.act("speaking");
      window.gallerySession.emit("caption", { text, word: "wide,", index: 6 });
    });
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

    await page.evaluate(() => window.gallerySession.end());
    await expectInReach(button(page, "Talk again"));
  }
});

test("every control can be reached on a page at 400 % and on small phones in landscape", async ({ page }) => {
  await openGallery(page);
  for (const [width, height] of [
    [320, 256],
    [568, 320],
    [740, 360],
  ] as const) {
    await page.setViewportSize({ width, height });
    await showState(page, "speaking");
    // It covers a phone's page, which nobody can reach meanwhile.
    const isModal = await avatar(page)
      .locator(".vv-shell")
      .evaluate((shell) => shell.matches(":modal"));
    expect(isModal, `${width} × ${height}`).toBe(true);
    const controls = avatar(page).locator("[part=dock] button");
    await expect(controls).not.toHaveCount(0);
    for (const control of await controls.all()) await expectInReach(control);
    // By the wheel, not only by the focus: the panel itself scrolls what it cuts off.
    const isCut = await avatar(page)
      .locator("[part=panel]")
      .evaluate(
        (panel) =>
          panel.scrollHeight > panel.clientHeight + 1 && getComputedStyle(panel).overflowY === "hidden",
      );
    expect(isCut, `${width} × ${height}`).toBe(false);
  }
  // The last one shows picture, caption and controls beside each other.
  for (const part of ["window", "words"])
    await expect(avatar(page).locator(`[part~=${part}]`)).toBeInViewport({ ratio: 1 });
  await expectWhole(button(page, "End the conversation").first());
});
