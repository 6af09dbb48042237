import { setTimeout as elapse } from "node:timers/promises";
import type { Browser } from "@playwright/test";
import { launcher } from "../e2e/support/widget.ts";

declare global {
  interface Window {
    /** Set by `watchFace`. */
    face: Promise<number>;
  }
}

/** Runs in the page: `window.face` resolves with the time from the click to the first frame that the browser has drawn, in ms. */
function watchFace(): void {
  window.face = new Promise((resolve) => {
    const handleClick = (): void => {
      const click = performance.now();
      const look = (): void => {
        const isDrawn = document.querySelector("visavis-avatar")?.hasAttribute("data-drawn") ?? false;
        if (!isDrawn) setTimeout(look, 1);
        // The avatar has asked for this frame already, and draws in it.
        else requestAnimationFrame(() => resolve(performance.now() - click));
      };
      look();
    };
    addEventListener("click", handleClick, { capture: true, once: true });
  });
}

/** How long the character is waited for once the pointer is on the launcher. */
const loadedWithinMs = 10_000;

/** Click → live face that the browser draws, ms, where the character was loaded while the pointer was on the launcher. */
export async function localFaceMs(browser: Browser, address: string): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const page = await context.newPage();
    await page.addInitScript("globalThis.__name = (f) => f");
    await page.addInitScript(watchFace);
    await page.goto(address);
    await launcher(page).waitFor();
    await page.waitForLoadState("networkidle");
    await launcher(page).hover();
    await page.waitForFunction(() => customElements.get("visavis-avatar"));
    await page
      .waitForFunction(
        () =>
          performance.getEntriesByType("resource").some(({ name }) => /\/characters\/[^/]+\.json/.test(name)),
        undefined,
        { timeout: loadedWithinMs },
      )
      .catch(() => console.error("The character was not loaded before the click."));
    await elapse(500);
    const face = page.evaluate(() => window.face);
    await launcher(page).click();
    return await face;
  } finally {
    await context.close();
  }
}
