import { expect, test } from "./support/test.ts";
import { hostPage } from "./support/host-page.ts";
import { useSite } from "./support/served-site.ts";
import { avatar, type AvatarElement, launcher, snippet, stateOf, untilState } from "./support/widget.ts";

const served = useSite({
  pages: (relayOrigin, context) => ({
    "/": hostPage(snippet(relayOrigin, context)),
    "/text": hostPage(snippet(relayOrigin, context, 'data-mode="text"')),
  }),
});

test("the launcher can be put away by pointer and keyboard, stays away on the tab's next page, and comes back by a click", async ({
  page,
}) => {
  await page.goto(`${served.site.origin}/text`);
  const hide = avatar(page).getByRole("button", { name: "Hide", exact: true });
  const box = avatar(page).locator(".vv-launch");
  await launcher(page).hover();
  await hide.click();
  await expect(box).toHaveAttribute("data-hidden");
  await expect(launcher(page)).toBeFocused();

  await page.reload();
  await expect(box).toHaveAttribute("data-hidden");
  await launcher(page).click();
  await expect(box).not.toHaveAttribute("data-hidden");
  expect(await stateOf(page)).toBe("idle");

  await hide.waitFor();
  await launcher(page).focus();
  await page.keyboard.press("Tab");
  await expect(hide).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(box).toHaveAttribute("data-hidden");
  await launcher(page).click();
  await launcher(page).click();
  await untilState(page, "live");
});

test("the launcher's label goes as the panel opens, its ring shows the conversation behind it, and the second click of a double click ends nothing", async ({
  page,
}) => {
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
  await untilState(page, "live");

  await avatar(page).evaluate((element: AvatarElement) => {
    element.close();
  });
  await expect(avatar(page).locator(".vv-launch .vv-ring rect")).toHaveCount(4);
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
