import { expect, test, type Page } from "../support/test.ts";
import { hostPage } from "../support/host-page.ts";
import { tolerateSlowDrawing } from "../support/slow-machine.ts";
import { useSite } from "../support/served-site.ts";
import { avatar, clickLauncher, launcher, snippet, untilState } from "../support/widget.ts";
import { framesReceived, watchOffers } from "./offers.ts";

const served = useSite({
  // Which is the default.
  pages: (relayOrigin, context) => ({ "/": hostPage(snippet(relayOrigin, context, "", null)) }),
});

declare global {
  interface Window {
    /** Whether drawing takes its time. */
    drawsSlowly: boolean;
  }
}

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
  await page.goto(served.site.origin);
  const character = page.waitForRequest(/\/characters\/[^/]*\.json$/);
  await launcher(page).hover();
  await clickLauncher(page);
  await untilState(page, "live");
  await character;
  await expect.poll(() => framesReceived(page)).toBeGreaterThan(20);
  await expect(avatar(page)).not.toHaveAttribute("data-drawn");
  expect(directions).toEqual(["recvonly"]);
  await page.evaluate(() => void (window.drawsSlowly = false));
  await avatar(page).evaluate((element) => element.setAttribute("render", "local"));
  await expect(avatar(page)).toHaveAttribute("data-drawn", "local");
});
