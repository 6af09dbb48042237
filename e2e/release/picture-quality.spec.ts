import { expect, test, type Page } from "../support/test.ts";
import { useSite } from "../support/served-site.ts";
import { allowSoftwareWebgl } from "../support/software-webgl.ts";
import {
  avatar,
  clickLauncher,
  launcher,
  stageCanvas,
  untilFirstFrame,
  withPicture,
} from "../support/widget.ts";

// How much of its time the page needs to draw decides about the picture: where nothing is added, a frame has to cost little without a GPU.
test.describe.configure({ lock: "-exclusive-" });
test.use({ viewport: { width: 480, height: 480 }, deviceScaleFactor: 0.5 });

const served = useSite({ attributes: withPicture });

declare global {
  interface Window {
    /** How long the main thread is kept busy for each frame that is drawn, in ms. */
    frameCostMs: number;
    framesDrawn: number;
    /** What `data-picture` has said so far. */
    qualities: string[];
  }
}

/** Opens a conversation in a page where each frame costs the main thread as much as the test wants. */
async function converse(page: Page, frameCostMs: number): Promise<void> {
  await page.addInitScript(allowSoftwareWebgl);
  await page.addInitScript((costMs) => {
    window.frameCostMs = costMs;
    window.framesDrawn = 0;
    const context = WebGL2RenderingContext.prototype;
    const native = context.texImage2D as (...given: unknown[]) => void;
    context.texImage2D = function (this: WebGL2RenderingContext, ...given: unknown[]) {
      const endMs = performance.now() + window.frameCostMs;
      native.apply(this, given);
      window.framesDrawn++;
      while (performance.now() < endMs);
    };
  }, frameCostMs);
  await page.goto(served.site.origin);
  await launcher(page).hover();
  await clickLauncher(page);
  await untilFirstFrame(page);
}

test("frames that cost too much of the page's time become fewer and smaller, and finally a still picture with captions", async ({
  page,
}) => {
  const lines: string[] = [];
  page.on("console", (message) => lines.push(message.text()));
  await converse(page, 60);
  await expect(avatar(page)).toHaveAttribute("data-picture", "still");
  await expect(stageCanvas(page)).toBeHidden();
  const drawn = await page.evaluate(() => window.framesDrawn);
  await avatar(page).evaluate((element: HTMLElementTagNameMap["visavis-avatar"]) => {
    element.say("These words are read and heard without a moving picture.");
  });
  await expect(avatar(page).locator(".vv-captions")).toContainText("without a moving picture");
  expect(await page.evaluate(() => window.framesDrawn)).toBe(drawn);
  // Nothing is written to the console of a page that did not ask for it.
  expect(lines.filter((line) => line.includes("picture:"))).toEqual([]);
});

test("the picture is full again when there is room for it", async ({ page }) => {
  // There is room as soon as it has fewer frames: where a look comes late, the picture may stand still by then.
  await page.addInitScript(() => {
    window.qualities = [];
    new MutationObserver(([change]) => {
      const { picture } = (change!.target as HTMLElement).dataset;
      if (picture !== undefined) window.qualities.push(picture);
      if (window.qualities.length > 0) window.frameCostMs = 0;
    }).observe(document, { subtree: true, attributeFilter: ["data-picture"] });
  });
  // A resting avatar has some ten frames a second.
  await converse(page, 50);
  await expect.poll(() => page.evaluate(() => window.qualities[0])).toMatch(/frames|half/);
  await expect(avatar(page)).not.toHaveAttribute("data-picture", /./);
});
