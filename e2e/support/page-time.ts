import type { Page } from "@playwright/test";

/**
 * Stops a page's time until `page.clock.resume()`: what a busy machine takes long for takes the page none. Needs `page.clock.install()`
 * before the page is loaded.
 */
export async function stopTime(page: Page): Promise<void> {
  const nowMs = await page.evaluate(() => Date.now());
  // A moment that is over when the page hears of it is refused, but the time stands still.
  await page.clock.pauseAt(nowMs + 1_000).catch(() => undefined);
}
