import { expect, test, type Page } from "./support/test.ts";
import { hostPage } from "./support/host-page.ts";
import { useSite } from "./support/served-site.ts";
import { avatar, launcher, snippet, untilState, type AvatarElement, withPicture } from "./support/widget.ts";

/** An inline frame, with text below it that would move. */
function inlinePage(relayOrigin: string, context: string, before = "", after = ""): string {
  const attributes = 'data-variant="inline" data-target="#here"';
  return hostPage(
    `${before}<div id="here"></div>${after}<p id="below">Below</p>${snippet(relayOrigin, context, `${attributes} ${withPicture}`)}`,
  );
}

const served = useSite({
  pages: (relayOrigin, context) => ({
    "/inline": inlinePage(relayOrigin, context),
    "/grid": inlinePage(relayOrigin, context, '<main style="display: grid">', "</main>"),
    "/fullscreen": hostPage(snippet(relayOrigin, context, `data-variant="fullscreen" ${withPicture}`)),
  }),
});

const place = (page: Page) =>
  page.locator("#below").evaluate((element) => element.getBoundingClientRect().top);

const untilWidget = (page: Page) =>
  page.waitForFunction(() => customElements.get("visavis-avatar") !== undefined);

/** The panel of a conversation with its controls. */
const controls = (page: Page) => avatar(page).getByRole("toolbar");

for (const width of [900, 600, 390])
  test(`an inline frame keeps its size and takes the click under the pointer, ${width} px wide`, async ({
    page,
  }) => {
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
    await avatar(page).getByRole("button", { name: "Write to Mara" }).click();
    await expect(avatar(page).getByRole("textbox")).toBeVisible();
    expect(await place(page), "with the transcript").toBe(before);
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

test("full screen has a header with the avatar's name, and can be left and opened again", async ({
  page,
}) => {
  await page.goto(`${served.site.origin}/fullscreen`);
  await launcher(page).hover();
  await untilWidget(page);
  await expect(avatar(page)).toHaveAttribute("data-variant", "fullscreen");
  await launcher(page).click();
  await untilState(page, "live");
  const region = avatar(page).getByRole("region", { name: "Mara, AI assistant" });
  await expect(region.locator(".vv-name")).toContainText("Mara");
  await region.getByRole("button", { name: "Exit full screen" }).click();
  await expect(region).toBeHidden();
  await expect(launcher(page)).toBeVisible();
  await untilState(page, "live");
  await launcher(page).click();
  await expect(region).toBeVisible();
});

test("the suggestions are shown once in full screen, where the transcript has them", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${served.site.origin}/fullscreen`);
  await launcher(page).hover();
  await untilWidget(page);
  await launcher(page).click();
  await untilState(page, "live");
  await expect(avatar(page).getByRole("textbox")).toBeVisible();
  await expect.poll(() => avatar(page).evaluate(({ activity }: AvatarElement) => activity)).toBe("idle");
  await expect(avatar(page).getByRole("group", { name: "You could ask" })).toHaveCount(1);
});

test("in full screen the visitor can write right away, wherever the focus is", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${served.site.origin}/fullscreen`);
  await launcher(page).click();
  await untilState(page, "live");
  const field = avatar(page).getByRole("textbox");
  await expect(field).toBeVisible();
  await avatar(page).getByRole("button", { name: "End the conversation" }).focus();
  await page.keyboard.type("I");
  await expect(field).toBeFocused();
  await page.keyboard.type("s it red");
  await expect(field).toHaveValue("Is it red");
  await untilState(page, "live");
});

test("the loader's frame has the corners of the panel that takes its place", async ({ page }) => {
  await page.goto(`${served.site.origin}/inline`);
  const corner = await launcher(page).evaluate((element) => getComputedStyle(element).borderTopLeftRadius);
  await launcher(page).click();
  await untilState(page, "live");
  await expect(avatar(page).locator(".vv-panel")).toHaveCSS("border-top-left-radius", corner);
});

for (const width of [390, 320])
  test(`a frame in a grid is no wider than a phone of ${width} px, nor is the demo page`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 700 });
    for (const address of [`${served.site.origin}/grid`, `${served.server.origin}/`]) {
      await page.goto(address);
      await expect(launcher(page)).toBeVisible();
      const excess = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        return scrollWidth - clientWidth;
      });
      expect(excess, address).toBe(0);
    }
  });
