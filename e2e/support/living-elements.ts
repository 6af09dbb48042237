import type { CDPSession, Page } from "@playwright/test";

declare global {
  interface Window {
    /** Elements that the test has made, without keeping them alive. */
    madeElements?: WeakRef<Element>[];
  }
}

/** How many of `window.madeElements` are still alive after garbage collection. */
export async function livingElements(page: Page, devtools: CDPSession): Promise<number> {
  // Chromium keeps a cancelled animation, and the part that it moved, until the next frame. A page at rest draws none.
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  await devtools.send("HeapProfiler.collectGarbage");
  return page.evaluate(() => (window.madeElements ?? []).filter((each) => each.deref()).length);
}
