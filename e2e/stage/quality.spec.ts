import { expect, test, type Page } from "../support/test.ts";
import { useSite } from "../support/served-site.ts";
import { allowSoftwareWebgl } from "../support/software-webgl.ts";
import { avatar, clickLauncher, launcher, stageCanvas, untilFirstFrame } from "../support/widget.ts";

// How much of its time the page needs to draw decides about the picture.
test.describe.configure({ lock: "-exclusive-" });

const served = useSite();

declare global {
  interface Window {
    /** How long the main thread is kept busy for each frame that is drawn, in ms. */
    frameCostMs: number;
    framesDrawn: number;
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
  test.setTimeout(120_000);
  const lines: string[] = [];
  page.on("console", (message) => lines.push(message.text()));
  await converse(page, 60);
  await expect(avatar(page)).toHaveAttribute("data-picture", "still", { timeout: 60_000 });
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
  test.setTimeout(150_000);
  // A resting avatar has some ten frames a second.
  await converse(page, 50);
  await expect(avatar(page)).toHaveAttribute("data-picture", /frames|half/, { timeout: 60_000 });
  await page.evaluate(() => (window.frameCostMs = 0));
  await expect(avatar(page)).not.toHaveAttribute("data-picture", /./, { timeout: 60_000 });
});
