/** Inline frames on real pages: what stands around them does not move. */
import { expect, test, type Page } from "./support/test.ts";
import { hostPage } from "./support/host-page.ts";
import { useSite } from "./support/served-site.ts";
import { avatar, endSession, launcher, snippet, untilState, withPicture } from "./support/widget.ts";

/** An inline frame, with text below it that would move. */
function inlinePage(relayOrigin: string, context: string): string {
  const attributes = 'data-variant="inline" data-target="#here"';
  return hostPage(
    `<div id="here"></div><p id="below">Below</p>${snippet(relayOrigin, context, `${attributes} ${withPicture}`)}`,
  );
}

const served = useSite({
  pages: (relayOrigin, context) => ({
    "/inline": inlinePage(relayOrigin, context),
  }),
});

const place = (page: Page) =>
  page.locator("#below").evaluate((element) => element.getBoundingClientRect().top);

const untilWidget = (page: Page) =>
  page.waitForFunction(() => customElements.get("visavis-avatar") !== undefined);

/** The panel of a conversation with its controls. */
const controls = (page: Page) => avatar(page).getByRole("toolbar");

test("an inline frame keeps its size and takes the click under the pointer, wide and narrow", async ({
  page,
}) => {
  for (const width of [900, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${served.site.origin}/inline`);
    const picture = launcher(page).locator("img");
    await expect(picture).toHaveJSProperty("complete", true);
    await expect
      .poll(async () => (await picture.boundingBox())?.width, { message: "the large picture" })
      .toBeGreaterThan(300);
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(300);
    await expect(avatar(page).locator(".vv-label b")).toHaveText("Talk with Mara");
    const before = await place(page);
    // The loader's frame has the corners of the panel that takes its place.
    const corner = await launcher(page).evaluate((element) => getComputedStyle(element).borderTopLeftRadius);

    // The widget is loaded between pressing and releasing the button.
    await launcher(page).hover();
    await page.mouse.down();
    await untilWidget(page);
    await expect(avatar(page)).toHaveAttribute("data-variant", "inline");
    expect(await place(page), "while the visitor points at it").toBe(before);
    await page.mouse.up();

    await untilState(page, "live");
    await expect(controls(page)).toBeVisible();
    expect(await place(page), "during the conversation").toBe(before);
    await expect(avatar(page).locator(".vv-panel")).toHaveCSS("border-top-left-radius", corner);
    await avatar(page).getByRole("button", { name: "Write to Mara" }).click();
    await expect(avatar(page).getByRole("textbox")).toBeVisible();
    expect(await place(page), "with the transcript").toBe(before);
    await endSession(page);
  }
});

test("the keyboard keeps its place when an inline frame becomes a conversation", async ({ page }) => {
  await page.goto(`${served.site.origin}/inline`);
  await launcher(page).focus();
  await untilWidget(page);
  await expect(avatar(page)).toHaveAttribute("data-variant", "inline");
  await expect(launcher(page)).toBeFocused();
  await page.keyboard.press("Enter");
  await untilState(page, "live");
  await expect(avatar(page).getByRole("button", { name: "Write to Mara" })).toBeFocused();
});
