import { writeFileSync } from "node:fs";
import { setTimeout as elapse } from "node:timers/promises";
import type { Page } from "@playwright/test";
import type { BenchStage } from "../../bench/browser.ts";
import type { AvatarElement } from "../../e2e/support/widget.ts";
import { animate, type Frame } from "./animation.ts";

const question = "How much is the Alder reading chair?";

/** The demo shop with its assistant answering: a picture, and a short animation of the panel alone. */
export async function takeReadmePictures({ browser, server }: BenchStage): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1120, height: 700 } });
  await page.goto(`${server.origin}/`);
  const corner = page.locator("visavis-avatar:not([variant])");
  await corner.locator("[part~=launcher-button]").click();
  await untilActivity(page, "speaking");
  await untilActivity(page, "idle");
  await corner.evaluate((element: AvatarElement, text) => void element.send(text), question);
  const frames = await recordPanel(page);
  await corner.evaluate((element: AvatarElement, text) => void element.send(text), question);
  await untilActivity(page, "speaking");
  await corner.locator(".now").waitFor();
  await page.screenshot({ path: "docs/picture.jpg", type: "jpeg", quality: 82 });
  await page.close();
  writeFileSync("docs/answer.gif", await animate(frames, 320));
}

/** Waits until the avatar in the page's bubble has this activity. */
async function untilActivity(page: Page, activity: string): Promise<void> {
  await page.waitForFunction(
    (wanted) => document.querySelector<AvatarElement>("visavis-avatar:not([variant])")?.activity === wanted,
    activity,
    { timeout: 60_000, polling: 25 },
  );
}

const frameCount = 44;
const frameEveryMs = 160;

/** Pictures of the panel from the question to the end of the answer, with the times at which they were taken. */
async function recordPanel(page: Page): Promise<Frame[]> {
  const panel = page.locator("visavis-avatar:not([variant]) [part~=panel]");
  const clip = await panel.boundingBox();
  if (!clip) throw new Error("The panel is not shown.");
  const frames: Frame[] = [];
  let nextMs = performance.now();
  while (frames.length < frameCount) {
    await elapse(Math.max(nextMs - performance.now(), 0));
    frames.push({ png: await page.screenshot({ clip }), atMs: performance.now() });
    nextMs += frameEveryMs;
  }
  return frames;
}
