/** The compact variant: only the avatar and a bar, over the page. */
import { expect, test, type Page } from "./support/test.ts";
import { openGallery, showState } from "./support/gallery-page.ts";
import { pictureOf } from "./support/picture.ts";
import { avatar, launcher } from "./support/widget.ts";

const dialog = (page: Page) => avatar(page).getByRole("dialog", { name: "Mara, AI assistant" });
const bar = (page: Page) => dialog(page).getByRole("toolbar");

test("compact shows the avatar on the page itself, with a bar; the transcript opens a window; it fits on 320 px", async ({
  page,
}) => {
  await openGallery(page);
  await showState(page, "compact");
  await page.addStyleTag({ content: "body { background: rgb(255, 0, 255) }" });
  await expect.poll(() => dialog(page).boundingBox()).toMatchObject({ width: 288, height: 356 });
  await expect(async () => {
    const picture = await pictureOf(page, dialog(page));
    expect([picture.at(3, 3), picture.at(284, 3)]).toEqual([
      [255, 0, 255],
      [255, 0, 255],
    ]);
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
  expect(await page.evaluate(() => window.gallerySession.state)).toBe("live");

  await page.setViewportSize({ width: 320, height: 568 });
  await showState(page, "compact, with a microphone");
  const places = await bar(page)
    .getByRole("button")
    .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().toJSON() as DOMRect));
  expect(places.length).toBeGreaterThan(0);
  for (const { left, right } of places) {
    expect(left).toBeGreaterThanOrEqual(0);
    expect(right).toBeLessThanOrEqual(320);
  }
});
