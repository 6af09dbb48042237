import type { Browser } from "@playwright/test";
import { timeToVoice } from "../answer.ts";
import { watchFirstFrame, type Marks } from "../start.ts";

/** How long a visitor waited, in ms; null where what was waited for never came. */
export interface Visit {
  firstFrameMs: number | null;
  firstSoundMs: number | null;
}

/** One visitor in a fresh browser profile: opens the page, clicks, asks a question, leaves. */
export async function visit(browser: Browser, siteOrigin: string, question: string): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 } });
  const waits: Visit = { firstFrameMs: null, firstSoundMs: null };
  try {
    const page = await context.newPage();
    await page.addInitScript("globalThis.__name = (f) => f");
    await page.addInitScript(watchFirstFrame);
    await page.goto(siteOrigin);
    const button = page.locator("visavis-avatar [part~=launcher-button]");
    await button.waitFor();
    await button.hover();
    await page.waitForTimeout(400);
    const started = page.evaluate(() => (window as unknown as { started: Promise<Marks> }).started);
    started.catch(() => undefined);
    await button.click();
    const limit = new Promise<never>((_, reject) => setTimeout(() => reject(new Error("no frame")), 20_000));
    const { click, frame } = await Promise.race([started, limit]);
    waits.firstFrameMs = frame - click;
    await page.waitForFunction(
      () => (document.querySelector("visavis-avatar") as unknown as { state?: string }).state === "live",
    );
    waits.firstSoundMs = await timeToVoice(page, question);
    await page.evaluate(() =>
      (document.querySelector("visavis-avatar") as unknown as { end(): Promise<void> }).end(),
    );
  } catch {
    // What has not been measured by now counts as never come.
  }
  await context.close();
  return waits;
}
