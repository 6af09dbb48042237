import { expect, test, type Page } from "../support/test.ts";
import { hostPage } from "../support/host-page.ts";
import { tolerateSlowDrawing } from "../support/slow-machine.ts";
import { useSite } from "../support/served-site.ts";
import { avatar, clickLauncher, launcher, snippet, untilState } from "../support/widget.ts";
import { framesReceived, watchOffers } from "./offers.ts";

const served = useSite({
  pages: (relayOrigin, context) => ({
    "/": hostPage(snippet(relayOrigin, context, "", "auto")),
    "/by-default": hostPage(snippet(relayOrigin, context, "", null)),
  }),
});

declare global {
  interface Window {
    /** Whether drawing takes its time. */
    drawsSlowly: boolean;
    /** The values that `data-drawn` had. */
    drawn: (string | null)[];
  }
}

/** The requests for a character that the page has made. */
function watchCharacters(page: Page): string[] {
  const addresses: string[] = [];
  page.on("request", (request) => {
    if (/\/characters\/[^/]*\.json$/.test(request.url())) addresses.push(request.url());
  });
  return addresses;
}

/** Keeps who has drawn, in a page that draws however long that takes. */
async function recordDrawn(page: Page): Promise<void> {
  await tolerateSlowDrawing(page);
  await page.addInitScript(() => {
    window.drawn = [];
    document.addEventListener("DOMContentLoaded", () => {
      new MutationObserver(([record]) => {
        if (record?.target instanceof Element) window.drawn.push(record.target.getAttribute("data-drawn"));
      }).observe(document, { subtree: true, attributeFilter: ["data-drawn"] });
    });
  });
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
  await recordDrawn(page);
  const directions = watchOffers(page);
  await start(page, "/by-default");
  // A busy machine shows so few frames that the browser may leave it to the service soon.
  await expect.poll(() => page.evaluate(() => window.drawn)).toContain("local");
  // Whether the check was over before the click depends on the machine.
  expect(directions.join()).toMatch(/^(none|recvonly,inactive)/);
});

for (const [device, told] of [
  ["with save-data", { connection: { saveData: true } }],
  ["on a device with little memory", { deviceMemory: 2 }],
] as const)
  test(`render auto: ${device} the service draws, and no character is loaded`, async ({ page }) => {
    await page.addInitScript((values) => {
      for (const [name, value] of Object.entries(values)) Object.defineProperty(navigator, name, { value });
    }, told);
    const directions = watchOffers(page);
    const characters = watchCharacters(page);
    await start(page);
    await expect.poll(() => framesReceived(page)).toBeGreaterThan(5);
    expect(directions).toEqual(["recvonly"]);
    expect(characters).toEqual([]);
  });

test("render auto: a browser that shows few frames leaves it to the service, although its main thread does little", async ({
  page,
}) => {
  await recordDrawn(page);
  await page.addInitScript(() => {
    // As a weak GPU does it: the next frame is shown late.
    const { requestAnimationFrame } = window;
    window.requestAnimationFrame = (step) => Number(setTimeout(() => requestAnimationFrame(step), 250));
  });
  await start(page);
  await expect.poll(() => page.evaluate(() => window.drawn)).toEqual(["local", null]);
  await expect.poll(() => framesReceived(page)).toBeGreaterThan(5);
});

/** Whatever the machine: by the page's clock, each fill and each copied picture takes some milliseconds, and nothing else takes any. */
async function drawSlowly(page: Page): Promise<void> {
  await tolerateSlowDrawing(page);
  await page.addInitScript(() => {
    window.drawsSlowly = true;
    const now = performance.now.bind(performance);
    let drawnMs = 0;
    performance.now = () => now() + drawnMs;
    const { prototype } = CanvasRenderingContext2D;
    for (const name of ["fill", "drawImage"] as const) {
      const draw: (...args: never[]) => void = prototype[name];
      Object.defineProperty(prototype, name, {
        value(this: CanvasRenderingContext2D, ...args: unknown[]) {
          if (window.drawsSlowly) drawnMs += 3;
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
  await expect.poll(() => characters.length).toBe(1);
  await expect.poll(() => framesReceived(page)).toBeGreaterThan(20);
  await expect(avatar(page)).not.toHaveAttribute("data-drawn");
  expect(directions).toEqual(["recvonly"]);
  await page.evaluate(() => void (window.drawsSlowly = false));
  await avatar(page).evaluate((element) => element.setAttribute("render", "local"));
  await expect(avatar(page)).toHaveAttribute("data-drawn", "local");
});
