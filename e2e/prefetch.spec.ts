import { expect, test, type Page } from "./support/test.ts";
import { hostPage } from "./support/host-page.ts";
import { useServer, useSite } from "./support/served-site.ts";
import { avatar, launcher, snippet, untilState, withPicture } from "./support/widget.ts";

declare global {
  interface Window {
    /** How many peer connections the page has made. */
    connectionsMade: number;
  }
}

const idle = useServer({
  change: ({ embed_config }) => {
    embed_config["prefetch"] = "idle";
  },
});

const served = useSite({
  pages: (relayOrigin, context) => ({
    "/": hostPage(snippet(relayOrigin, context, withPicture)),
    "/idle": hostPage(snippet(relayOrigin, idle.context, withPicture)),
    "/intent": hostPage(snippet(relayOrigin, idle.context, 'data-prefetch="intent"')),
  }),
});

test.beforeEach(async ({ page }) => {
  await page.addInitScript(() => {
    window.connectionsMade = 0;
    const Native = RTCPeerConnection;
    window.RTCPeerConnection = class extends Native {
      constructor(...given: ConstructorParameters<typeof Native>) {
        super(...given);
        window.connectionsMade++;
      }
    };
  });
});

const connections = (page: Page) => page.evaluate(() => window.connectionsMade);

const isDefined = (page: Page) => page.evaluate(() => customElements.get("visavis-avatar") !== undefined);

/** Whether the page has asked for what the launcher loads ahead. */
const hasAsked = (page: Page) =>
  page.evaluate(
    (paths) =>
      performance.getEntriesByType("resource").some(({ name }) => paths.some((path) => name.endsWith(path))),
    [served, idle].map(({ context }) => `/contexts/${context}`),
  );

/** Resolves when whatever has waited for the page to be idle has run. */
async function untilIdle(page: Page): Promise<void> {
  await launcher(page).waitFor();
  await page.evaluate(async () => {
    if (document.readyState !== "complete") await new Promise((then) => addEventListener("load", then));
    for (let round = 0; round < 3; round++) await new Promise((then) => requestIdleCallback(then));
  });
}

test("prefetch idle loads the widget on an idle page and prepares nothing, unless attribute or browser say otherwise", async ({
  page,
}) => {
  const sessions: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/embed/v1/sessions")) sessions.push(request.url());
  });
  // Without the setting the launcher alone is loaded.
  await page.goto(served.site.origin);
  await untilIdle(page);
  expect(await hasAsked(page)).toBe(false);

  await page.goto(`${served.site.origin}/idle`);
  await expect.poll(() => isDefined(page)).toBe(true);
  await expect(avatar(page)).toHaveCount(1);
  expect(await connections(page)).toBe(0);
  await launcher(page).hover();
  await expect.poll(() => connections(page)).toBe(1);
  expect(sessions).toEqual([]);

  await page.goto(`${served.site.origin}/intent`);
  await untilIdle(page);
  expect(await hasAsked(page), "the attribute wins").toBe(false);

  const tools = await page.context().newCDPSession(page);
  await tools.send("Emulation.setDataSaverOverride", { dataSaverEnabled: true });
  await page.goto(`${served.site.origin}/idle`);
  await untilIdle(page);
  expect(await hasAsked(page), "where the browser saves data").toBe(false);
  await launcher(page).hover();
  await expect.poll(() => isDefined(page)).toBe(true);
});

test.describe("on a phone", () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

  test("a finger that touches the launcher has prepared the offer before it lifts, and its tap needs no other connection", async ({
    page,
  }) => {
    await page.goto(served.site.origin);
    await launcher(page).waitFor();
    const { x, y, width, height } = (await launcher(page).boundingBox())!;
    const tools = await page.context().newCDPSession(page);
    const at = { x: x + width / 2, y: y + height / 2 };
    await tools.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [at] });
    await expect.poll(() => isDefined(page)).toBe(true);
    await expect.poll(() => connections(page)).toBe(1);
    await tools.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    await untilState(page, "live");
    expect(await connections(page)).toBe(1);
  });
});
