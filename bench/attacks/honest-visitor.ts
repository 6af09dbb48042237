import { setTimeout as elapse } from "node:timers/promises";
import type { Browser } from "@playwright/test";
import { endSession, launcher, untilState } from "../../e2e/support/widget.ts";
import { timeToVoice } from "../answer.ts";
import { hoverMs, watchFirstFrame } from "../start.ts";

/** How long a visitor waited, in ms; null if the frame or sound never came. */
export interface Visit {
  firstFrameMs: number | null;
  firstSoundMs: number | null;
}

/** One visitor with a fresh browser profile: opens the page, clicks, asks a question and leaves. */
export async function visit(browser: Browser, siteOrigin: string, question: string): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 } });
  const waits: Visit = { firstFrameMs: null, firstSoundMs: null };
  try {
    const page = await context.newPage();
    await page.addInitScript("globalThis.__name = (f) => f");
    await page.addInitScript(watchFirstFrame);
    await page.goto(siteOrigin);
    const button = launcher(page);
    await button.waitFor();
    await button.hover();
    await elapse(hoverMs);
    const started = page.evaluate(() => window.started);
    started.catch(() => undefined);
    await button.click();
    const limit = new Promise<never>((_, reject) => setTimeout(() => reject(new Error("no frame")), 20_000));
    const { click, frame } = await Promise.race([started, limit]);
    waits.firstFrameMs = frame - click;
    await untilState(page, "live");
    waits.firstSoundMs = await timeToVoice(page, question);
    await endSession(page);
  } catch {
    // Values that were not measured by now stay null.
  }
  await context.close();
  return waits;
}
