import { expect, test, type Page } from "./support/test.ts";
import { hostPage } from "./support/host-page.ts";
import { useSite } from "./support/served-site.ts";
import { askAndWait, untilSpoken } from "./support/talk.ts";
import {
  avatar,
  type AvatarElement,
  launcher,
  snippet,
  stateOf,
  untilAnimationsEnd,
  untilState,
} from "./support/widget.ts";

const served = useSite({
  pages: (relayOrigin, context) => ({ "/": hostPage(snippet(relayOrigin, context)) }),
});

test("the launcher can be put away, stays away on the tab's next page, and comes back by a click", async ({
  page,
}) => {
  await page.goto(served.site.origin);
  await launcher(page).hover();
  await avatar(page).getByRole("button", { name: "Hide", exact: true }).click();
  const box = avatar(page).locator(".vv-launch");
  await expect(box).toHaveAttribute("data-hidden");
  await expect(launcher(page)).toBeFocused();

  await page.reload();
  await expect(box).toHaveAttribute("data-hidden");
  await launcher(page).click();
  await expect(box).not.toHaveAttribute("data-hidden");
  expect(await stateOf(page)).toBe("idle");

  await launcher(page).click();
  await untilState(page, "live");
});

test("the keyboard reaches the button that puts the launcher away", async ({ page }) => {
  await page.goto(served.site.origin);
  await launcher(page).focus();
  const hide = avatar(page).getByRole("button", { name: "Hide", exact: true });
  await hide.waitFor();
  await page.keyboard.press("Tab");
  await expect(hide).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(avatar(page).locator(".vv-launch")).toHaveAttribute("data-hidden");
});

test("the launcher shows the state of a conversation that goes on behind it", async ({ page }) => {
  await page.goto(served.site.origin);
  await launcher(page).click();
  await untilState(page, "live");
  await avatar(page).evaluate((element: AvatarElement) => {
    element.close();
  });
  await expect(avatar(page).locator(".vv-launch .vv-ring rect")).toHaveCount(4);
  await expect(launcher(page)).toBeVisible();
});

test("the launcher's label goes as soon as the panel opens in front of it", async ({ page }) => {
  await page.goto(served.site.origin);
  await launcher(page).hover();
  await expect(avatar(page).locator(".vv-label")).toHaveCSS("opacity", "1");
  const visibility = avatar(page).evaluate(
    (element) =>
      new Promise<string>((resolve) => {
        const look = (): void => {
          const label = element.shadowRoot?.querySelector(".vv-label");
          if (!label || !element.shadowRoot?.querySelector("dialog[open]")) requestAnimationFrame(look);
          else resolve(getComputedStyle(label).visibility);
        };
        look();
      }),
  );
  await launcher(page).click();
  expect(await visibility).toBe("hidden");
});

const tooltip = (page: Page) => avatar(page).locator(".vv-tip");

test("a tooltip is shown where the keyboard goes, not where the focus is put", async ({ page }) => {
  await page.goto(served.site.origin);
  await launcher(page).focus();
  await page.keyboard.press("Enter");
  const main = avatar(page).getByRole("button", { name: "Write to Mara" });
  await expect(main).toBeFocused();
  // The controls change with what the avatar does.
  await untilSpoken(page);
  await expect(tooltip(page)).toHaveCount(0);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Shift+Tab");
  await expect(main).toBeFocused();
  await expect(tooltip(page)).toHaveText("Write to Mara");
  await page.keyboard.press("Escape");
  await expect(tooltip(page)).toHaveCount(0);
});

test("a tooltip is shown where the pointer goes, not where a button appears under it, and covers no caption", async ({
  context,
}) => {
  const open = async (pointerAt?: { x: number; y: number }): Promise<Page> => {
    const page = await context.newPage();
    await page.goto(served.site.origin);
    if (pointerAt) await page.mouse.move(pointerAt.x, pointerAt.y);
    await launcher(page).focus();
    await page.keyboard.press("Enter");
    await expect(endButton(page)).toBeVisible();
    await untilSpoken(page);
    await untilAnimationsEnd(page);
    return page;
  };
  const endButton = (page: Page) => avatar(page).getByRole("button", { name: "End the conversation" });
  const first = await open();
  const { x, y, width, height } = (await endButton(first).boundingBox())!;
  await first.close();

  const centre = { x: x + width / 2, y: y + height / 2 };
  const page = await open(centre);
  await expect.poll(() => endButton(page).evaluate((button) => button.matches(":hover"))).toBe(true);
  // An answer takes longer than a tooltip waits.
  await askAndWait(page, "Which chairs are there?");
  await expect(tooltip(page)).toHaveCount(0);

  await page.mouse.move(centre.x + 3, centre.y + 3);
  await expect(tooltip(page)).toHaveText("End the conversation");
  // At one moment: the captions go on.
  const places = () =>
    tooltip(page).evaluate((found) => {
      const captions = (found.getRootNode() as ShadowRoot).querySelectorAll(".vv-captions > *");
      const bottoms = [...captions].map((caption) => caption.getBoundingClientRect().bottom);
      return { tip: found.getBoundingClientRect().toJSON() as DOMRect, captions: Math.max(0, ...bottoms) };
    });
  await expect(async () => {
    const { tip, captions } = await places();
    expect(tip.top).toBeGreaterThanOrEqual(captions);
    expect(tip.right).toBeLessThanOrEqual(1280);
    expect(tip.bottom).toBeLessThanOrEqual(800);
  }).toPass();
  await page.mouse.move(10, 10);
  await expect(tooltip(page)).toHaveCount(0);
});

test("after the end, screen readers hear that it has ended", async ({ page }) => {
  await page.goto(served.site.origin);
  await launcher(page).click();
  await untilState(page, "live");
  const status = avatar(page).getByRole("dialog").getByRole("status").first();
  await expect(status).toHaveText("Ready");
  await avatar(page).evaluate((element: AvatarElement) => element.end());
  await expect(status).toHaveText("Thanks for talking");
});

test("the second click of a double click on the launcher ends nothing", async ({ page }) => {
  await page.goto(served.site.origin);
  await launcher(page).click();
  await untilState(page, "live");
  await avatar(page).evaluate((element: AvatarElement) => {
    element.close();
  });
  await launcher(page).hover();
  await page.mouse.down();
  await page.mouse.up();
  const end = avatar(page).getByRole("button", { name: "End the conversation" });
  await end.hover();
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  await untilState(page, "live");
  await end.click();
  await untilState(page, "ended");
});
