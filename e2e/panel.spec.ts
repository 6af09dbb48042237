/** The panel in a real browser, in a conversation that the test controls: focus, pointer, layout and what is in view. */
import { expect, test, type Page } from "./support/test.ts";
import { openGallery, showState } from "./support/gallery-page.ts";
import { avatar, launcher } from "./support/widget.ts";

const wide = { width: 1280, height: 800 };
const button = (page: Page, name: string) => avatar(page).locator(".vv-shell").getByRole("button", { name });
const inView = (page: Page) => page.evaluate(() => window.gallerySession.inView);

test("the session knows when the avatar is out of sight: panel closed, frame scrolled away, and back", async ({
  page,
}) => {
  await openGallery(page);
  await showState(page, "speaking");
  await expect.poll(() => inView(page), "open").toBe(true);
  await button(page, "Minimise").click();
  await expect.poll(() => inView(page), "minimised").toBe(false);
  await launcher(page).click();
  await expect.poll(() => inView(page), "opened again").toBe(true);
  await page.keyboard.press("Escape");
  await expect.poll(() => inView(page), "closed by Escape").toBe(false);

  await showState(page, "inline");
  await page.addStyleTag({ content: "body { height: 5000px }" });
  await expect.poll(() => inView(page), "inline").toBe(true);
  await page.evaluate(() => scrollTo(0, 3_000));
  await expect.poll(() => inView(page), "scrolled away").toBe(false);
  await page.evaluate(() => scrollTo(0, 0));
  await expect.poll(() => inView(page), "scrolled back").toBe(true);
});

test("full screen has a header, can be left and opened again, shows suggestions once, and takes what is typed anywhere", async ({
  page,
}) => {
  await page.setViewportSize(wide);
  await openGallery(page);
  await showState(page, "full screen, with suggestions");
  const region = avatar(page).getByRole("region", { name: "Mara, AI assistant" });
  await expect(region.locator(".vv-name")).toContainText("Mara");
  // The transcript beside the avatar has them.
  await expect(avatar(page).getByRole("group", { name: "You could ask" })).toHaveCount(1);
  const field = avatar(page).getByRole("textbox");
  await button(page, "End the conversation").focus();
  await page.keyboard.type("I");
  await expect(field).toBeFocused();
  await page.keyboard.type("s it red");
  await expect(field).toHaveValue("Is it red");

  await region.getByRole("button", { name: "Exit full screen" }).click();
  await expect(region).toBeHidden();
  await launcher(page).click();
  await expect(region).toBeVisible();
  expect(await page.evaluate(() => window.gallerySession.state)).toBe("live");
});

/** Opens the panel by the keyboard, and begins the conversation. */
async function openByKeyboard(page: Page): Promise<void> {
  await showState(page, "launcher");
  await launcher(page).focus();
  await page.keyboard.press("Enter");
  await page.evaluate(() => {
    window.gallerySession.become("live");
  });
}

test("a tooltip is shown where keyboard and pointer go, not where focus is put or a button appears under the pointer, and covers no caption", async ({
  page,
}) => {
  const tooltip = avatar(page).locator(".vv-tip");
  const end = button(page, "End the conversation");
  // Tooltips wait: their time is moved on.
  await page.clock.install();
  await page.setViewportSize(wide);
  await openGallery(page);
  await openByKeyboard(page);
  const main = button(page, "Write to Mara").first();
  await expect(main).toBeFocused();
  await page.clock.runFor(2_000);
  await expect(tooltip).toHaveCount(0);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Shift+Tab");
  await expect(main).toBeFocused();
  await page.clock.runFor(2_000);
  await expect(tooltip).toHaveText("Write to Mara");
  await page.keyboard.press("Escape");
  await expect(tooltip).toHaveCount(0);

  const { x, y, width, height } = (await end.boundingBox())!;
  const centre = { x: x + width / 2, y: y + height / 2 };
  await page.mouse.move(centre.x, centre.y);
  await openByKeyboard(page);
  await expect.poll(() => end.evaluate((found) => found.matches(":hover"))).toBe(true);
  await page.clock.runFor(2_000);
  await expect(tooltip).toHaveCount(0);

  await page.evaluate(() => {
    window.gallerySession.emit("caption", { text: "It comes in three wools.", word: "three", index: 3 });
  });
  await page.mouse.move(centre.x + 3, centre.y + 3);
  await page.clock.runFor(2_000);
  await expect(tooltip).toHaveText("End the conversation");
  const { tip, captions } = await tooltip.evaluate((found) => {
    const shown = (found.getRootNode() as ShadowRoot).querySelectorAll(".vv-captions > *");
    const bottoms = [...shown].map((caption) => caption.getBoundingClientRect().bottom);
    return { tip: found.getBoundingClientRect().toJSON() as DOMRect, captions: Math.max(0, ...bottoms) };
  });
  expect(captions).toBeGreaterThan(0);
  expect(tip.top).toBeGreaterThanOrEqual(captions);
  expect(tip.right).toBeLessThanOrEqual(wide.width);
  expect(tip.bottom).toBeLessThanOrEqual(wide.height);
  await page.mouse.move(10, 10);
  await page.clock.runFor(2_000);
  await expect(tooltip).toHaveCount(0);
});
