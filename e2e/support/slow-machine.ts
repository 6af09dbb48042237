/** What the product does where browser or network are slow, and a busy machine would make it do in any test. */
import type { BrowserContext, Page } from "@playwright/test";

/**
 * Lets pages wait longer for the direct path to the service than four seconds, after which they try others, and for the relay than 15, after
 * which they give up; and lets them think that nothing of sound and picture was lost: the panel would tell of the weak connection in place of
 * what a test looks for.
 */
export async function tolerateSlowLink(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    AbortSignal.timeout = (ms) => timeout(ms === 4_000 ? 20_000 : ms === 15_000 ? 60_000 : ms);
    const figures = ["packetsLost", "concealedSamples", "totalFreezesDuration", "currentRoundTripTime"];
    const prototype = (window as Partial<typeof window>).RTCPeerConnection?.prototype;
    const getStats = prototype?.getStats;
    if (!prototype || !getStats) return;
    prototype.getStats = async function (...of) {
      const report = await getStats.apply(this, of);
      return new Map(
        [...report].map(([id, stats]: [string, Record<string, unknown>]) => [
          id,
          {
            ...stats,
            ...Object.fromEntries(figures.filter((name) => name in stats).map((name) => [name, 0] as const)),
          },
        ]),
      );
    };
  });
}

/**
 * Lets a page draw the avatar however long that takes: its clock stands still while a script runs, so that drawing costs nothing by what the
 * page can measure.
 */
export async function tolerateSlowDrawing(page: Page | BrowserContext): Promise<void> {
  await page.addInitScript(() => {
    const now = performance.now.bind(performance);
    let kept: number | undefined;
    performance.now = () => {
      if (kept !== undefined) return kept;
      queueMicrotask(() => (kept = undefined));
      return (kept = now());
    };
  });
}

/**
 * Keeps a page's service from learning that the page is left: it would end the session ten seconds later, and a busy machine may take longer
 * to load the next page. Without that it waits as long as for any page that is silent.
 */
export async function leaveSilently(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const { fetch: native } = window;
    window.fetch = (input, init) =>
      typeof input === "string" && input.endsWith("/leave")
        ? Promise.resolve(new Response("{}"))
        : native(input, init);
  });
}

/** Stops the page's clock, a minute later than now. From then on only the test moves it. Needs `page.clock.install()`. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000);
}
