/** The compact variant: only the avatar and a bar, over the page. */
import { expect, test, type Page } from "./support/test.ts";
import { hostPage } from "./support/host-page.ts";
import { pictureOf } from "./support/picture.ts";
import { useSite } from "./support/served-site.ts";
import { openAvatar } from "./support/talk.ts";
import { avatar, launcher, snippet, untilAnimationsEnd, untilState, withPicture } from "./support/widget.ts";

const served = useSite({
  // Where visitors can speak, the way back from the transcript is the microphone's button, which begins to talk.
  change: ({ embed_config }) => {
    embed_config["ui"] = { ...(embed_config["ui"] as object), voice_mode: "off" };
  },
  pages: (relay, context) => ({
    "/": hostPage(snippet(relay, context, `data-variant="compact" ${withPicture}`)),
  }),
});

const dialog = (page: Page) => avatar(page).getByRole("dialog", { name: "Mara, AI assistant" });
const bar = (page: Page) => dialog(page).getByRole("toolbar");

test("compact shows the avatar on the page itself, with a bar; the transcript and the menu open a window", async ({
  page,
}) => {
  await openAvatar(page, served.site.origin);
  await expect(bar(page)).toBeVisible();
  await untilAnimationsEnd(page);
  await expect.poll(() => dialog(page).boundingBox()).toMatchObject({ width: 288, height: 356 });
  // The page is pink.
  await expect(async () => {
    const picture = await pictureOf(page, dialog(page));
    expect([picture.at(3, 3), picture.at(284, 3)]).toEqual([
      [255, 0, 255],
      [255, 0, 255],
    ]);
    expect(picture.at(144, 200), "the avatar").not.toEqual([255, 0, 255]);
  }).toPass();

  await bar(page).getByRole("button", { name: "Write to Mara" }).click();
  await expect(dialog(page).getByRole("textbox")).toBeVisible();
  await expect.poll(async () => (await dialog(page).boundingBox())?.width).toBe(384);
  await dialog(page).getByRole("button", { name: "Hide the transcript" }).first().click();
  await expect(bar(page)).toBeVisible();
  await expect(dialog(page)).toHaveAttribute("data-fit", "compact");

  await bar(page).getByRole("button", { name: "Minimise" }).click();
  await expect(dialog(page)).toBeHidden();
  await expect(launcher(page)).toBeFocused();
  await untilState(page, "live");
});

test("compact fits on a window of 320 px", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 568 });
  await openAvatar(page, served.site.origin);
  await expect(bar(page).getByRole("button").first()).toBeVisible();
  await untilAnimationsEnd(page);
  // Read at once: the bar has other buttons when the avatar has finished its greeting.
  const places = await bar(page)
    .getByRole("button")
    .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().toJSON() as DOMRect));
  expect(places.length).toBeGreaterThan(0);
  for (const { left, right } of places) {
    expect(left).toBeGreaterThanOrEqual(0);
    expect(right).toBeLessThanOrEqual(320);
  }
});
