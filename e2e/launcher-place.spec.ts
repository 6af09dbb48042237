/** The visitor moves the launcher; elements of one context do not move or hide each other. */
import { expect, test, type Page } from "./support/test.ts";
import { hostPage } from "./support/host-page.ts";
import { useServer, useSite } from "./support/served-site.ts";
import { untilModule } from "./support/page-modules.ts";
import { avatar, launcher, snippet, stateOf, untilState } from "./support/widget.ts";

const inline = (context: string): string =>
  `<visavis-avatar context-id="${context}" variant="inline"></visavis-avatar>`;

const asking = useServer({
  change: ({ embed_config }) => {
    embed_config["ui"] = { consent_text: "Mara works with what you write." };
  },
});

const served = useSite({
  pages: (relay, context) => ({
    "/asking": hostPage(snippet(relay, asking.context)),
    "/": hostPage(snippet(relay, context)),
    "/both": hostPage(`${snippet(relay, context)}<div style="width:600px">${inline(context)}</div>`),
    "/text": hostPage(snippet(relay, context, 'data-mode="text"')),
  }),
});

const box = (page: Page) => avatar(page).locator(".vv-launch");

/** The widget has taken over the launcher. */
const untilReached = async (page: Page): Promise<void> => {
  await launcher(page).hover();
  await expect(launcher(page)).toHaveAttribute("aria-description", "Move with the arrow keys");
};

async function drag(page: Page, x: number, y: number): Promise<void> {
  await untilReached(page);
  const { x: left, y: top, width, height } = (await launcher(page).boundingBox())!;
  await page.mouse.move(left + width / 2, top + height / 2);
  await page.mouse.down();
  await page.mouse.move(x, y, { steps: 5 });
  await page.mouse.up();
}

test("the launcher is dragged without a click, and stands there on the next page from the start, and its panel too", async ({
  page,
}) => {
  await page.goto(served.site.origin);
  await drag(page, 100, 500);
  await expect(box(page)).toHaveAttribute("data-place", "bottom-left");
  // It glides there.
  await expect.poll(async () => (await launcher(page).boundingBox())?.x).toBeLessThan(100);
  expect(await stateOf(page)).toBe("idle");
  await expect(avatar(page)).not.toHaveAttribute("open");
  await expect
    .poll(() => page.evaluate((key) => localStorage.getItem(key), `visavis-place:${served.context}`))
    .toBe("bottom-left");

  // The place is known before the visitor's settings are loaded.
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\/settings-[^/]*\.js$/, async (route) => {
    await released;
    await route.continue();
  });
  await page.reload();
  await expect(box(page)).toHaveAttribute("data-place", "bottom-left");
  expect(await page.evaluate(() => customElements.get("visavis-avatar"))).toBeUndefined();
  await launcher(page).click();
  await untilState(page, "live");
  const panel = avatar(page).getByRole("dialog");
  await expect(panel).toHaveAttribute("data-place", "bottom-left");
  await expect(box(page)).toHaveAttribute("data-place", "bottom-left");
  await expect.poll(async () => (await panel.boundingBox())?.x).toBe(24);
  const loaded = untilModule(page, "settings");
  release();
  await loaded;
  await expect(panel).toHaveAttribute("data-place", "bottom-left");
  await avatar(page).getByRole("button", { name: "Minimise" }).first().click();

  // The arrow keys move it too.
  await expect(launcher(page)).toBeFocused();
  for (const [key, place] of [
    ["ArrowUp", "top-left"],
    ["ArrowLeft", "top-left"],
    ["ArrowRight", "top-right"],
  ] as const) {
    await page.keyboard.press(key);
    await expect(box(page)).toHaveAttribute("data-place", place);
  }
  await expect(launcher(page)).toBeFocused();

  // Where the owner asks for consent, nothing is remembered before the visitor has agreed.
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await page.goto(`${served.site.origin}/asking`);
  await drag(page, 100, 500);
  await expect(box(page)).toHaveAttribute("data-place", "bottom-left");
  await launcher(page).click();
  await expect(avatar(page).getByText("Mara works with what you write.")).toBeVisible();
  const kept = await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)]);
  expect(kept.filter((key) => /place|settings/.test(key))).toEqual([]);
});

test("an inline frame takes the first click beside a bubble that was put away, and a launcher says what it offers", async ({
  page,
}) => {
  await page.goto(`${served.site.origin}/both`);
  const bubble = page.locator("visavis-avatar:not([variant])");
  const frame = page.locator("visavis-avatar[variant=inline]");
  await bubble.locator(".vv-launcher").hover();
  await bubble.getByRole("button", { name: "Hide", exact: true }).click();
  await expect(bubble.locator(".vv-launch")).toHaveAttribute("data-hidden");
  await page.reload();
  await expect(bubble.locator(".vv-launch")).toHaveAttribute("data-hidden");
  await expect(frame.locator(".vv-launch")).not.toHaveAttribute("data-hidden");
  await frame.locator(".vv-launcher").click();
  await expect
    .poll(() => frame.evaluate((element: HTMLElementTagNameMap["visavis-avatar"]) => element.state))
    .toBe("live");
  await frame.evaluate((element: HTMLElementTagNameMap["visavis-avatar"]) => element.end());

  // The name is the loader's: the widget is not there yet.
  await page.goto(`${served.site.origin}/text`);
  await expect(launcher(page)).toHaveAccessibleName(/^Write to \w+\s+AI assistant, by text$/);
  await launcher(page).hover();
  await expect(avatar(page).locator(".vv-label b")).toHaveText("Write to Mara");
  await page.goto(served.site.origin);
  await expect(launcher(page)).toHaveAccessibleName(/^Talk with \w+\s+AI assistant$/);
  await page.addInitScript(() => Reflect.deleteProperty(window, "RTCPeerConnection"));
  await page.goto(served.site.origin);
  // It is drawn and heard in this browser, and hears nothing.
  await expect(launcher(page)).toHaveAccessibleName(/^Talk with \w+\s+AI assistant, by text$/);
  expect(await page.evaluate(() => customElements.get("visavis-avatar"))).toBeUndefined();
});
