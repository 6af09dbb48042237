import { expect, test, type Page } from "../support/test.ts";
import { hostPage } from "../support/host-page.ts";
import { useSite } from "../support/served-site.ts";
import { avatar, clickLauncher, launcher, snippet, untilState } from "../support/widget.ts";
import { framesReceived, watchOffers } from "./offers.ts";

const served = useSite({
  pages: (relayOrigin, context) => ({
    "/": hostPage(snippet(relayOrigin, context, "", "auto")),
    "/by-default": hostPage(snippet(relayOrigin, context, "", null)),
  }),
});

/** The requests for a character that the page has made. */
function watchCharacters(page: Page): string[] {
  const addresses: string[] = [];
  page.on("request", (request) => {
    if (/\/characters\/[^/]*\.json$/.test(request.url())) addresses.push(request.url());
  });
  return addresses;
}

async function start(page: Page, path = "/"): Promise<void> {
  await page.goto(served.site.origin + path);
  await launcher(page).hover();
  await clickLauncher(page);
  await untilState(page, "live");
}

test("render auto, which is the default: a browser that draws quickly enough draws the avatar", async ({
  page,
}) => {
  // A clock as coarse as that of browsers that hide it: then no machine that runs this test is too slow.
  await page.addInitScript(() => {
    const now = performance.now.bind(performance);
    performance.now = () => Math.floor(now() / 100) * 100;
  });
  const directions = watchOffers(page);
  await start(page, "/by-default");
  await expect(avatar(page)).toHaveAttribute("data-drawn", "local", { timeout: 30_000 });
  // Whether the check was over before the click depends on the machine.
  expect(["none", "recvonly,inactive"]).toContain(directions.join());
});

test("render auto: with save-data the service draws, and no character is loaded", async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "connection", { value: { saveData: true } });
  });
  const directions = watchOffers(page);
  const characters = watchCharacters(page);
  await start(page);
  await expect.poll(() => framesReceived(page), { timeout: 20_000 }).toBeGreaterThan(5);
  expect(directions).toEqual(["recvonly"]);
  expect(characters).toEqual([]);
});

declare global {
  interface Window {
    /** Whether drawing takes its time. */
    drawsSlowly: boolean;
  }
}

/** Whatever the machine: each fill and each copied picture takes some milliseconds. */
async function drawSlowly(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.drawsSlowly = true;
    const { prototype } = CanvasRenderingContext2D;
    for (const name of ["fill", "drawImage"] as const) {
      const draw: (...args: never[]) => void = prototype[name];
      Object.defineProperty(prototype, name, {
        value(this: CanvasRenderingContext2D, ...args: unknown[]) {
          const untilMs = performance.now() + 3;
          while (window.drawsSlowly && performance.now() < untilMs);
          Reflect.apply(draw, this, args);
        },
      });
    }
  });
}

test("render auto: a browser that draws too slowly leaves it to the service, until the page asks for local", async ({
  page,
}) => {
  await drawSlowly(page);
  const directions = watchOffers(page);
  const characters = watchCharacters(page);
  await start(page);
  await expect.poll(() => characters.length, { timeout: 20_000 }).toBe(1);
  await expect.poll(() => framesReceived(page), { timeout: 20_000 }).toBeGreaterThan(20);
  await expect(avatar(page)).not.toHaveAttribute("data-drawn");
  expect(directions).toEqual(["recvonly"]);
  await page.evaluate(() => void (window.drawsSlowly = false));
  await avatar(page).evaluate((element) => element.setAttribute("render", "local"));
  await expect(avatar(page)).toHaveAttribute("data-drawn", "local", { timeout: 30_000 });
});
