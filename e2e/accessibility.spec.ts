import { expect, test } from "./support/test.ts";
import { violations } from "./support/axe.ts";
import { useSite } from "./support/served-site.ts";
import { avatar, launcher, stateOf, untilState } from "./support/widget.ts";

const served = useSite();

test("everything works by keyboard, the focus comes back, and axe finds nothing in the loader's launcher", async ({
  page,
}) => {
  await page.goto(served.site.origin);
  const button = launcher(page);
  await button.waitFor();
  expect(await violations(page, { include: "visavis-avatar" })).toEqual([]);
  await page.keyboard.press("Tab");
  await expect(button).toBeFocused();
  await page.keyboard.press("Enter");
  await untilState(page, "live");
  const focused = () => avatar(page).evaluate((element) => element.shadowRoot?.activeElement?.tagName);
  await expect.poll(focused, "the focus is inside the panel").toBeTruthy();
  await page.keyboard.press("Escape");
  await expect(button).toBeFocused();
  expect(await stateOf(page)).toBe("live");
});
