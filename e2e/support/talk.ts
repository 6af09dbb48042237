import type { BrowserContext, Page } from "@playwright/test";
import { patience } from "./patience.ts";
import {
  avatar,
  clickLauncher,
  sessionId,
  untilFirstFrame,
  untilState,
  type AvatarElement,
} from "./widget.ts";

/** Opens the page's avatar by its launcher. Returns the session's id once the picture is there. */
export async function openAvatar(page: Page, address: string): Promise<string> {
  await page.goto(address);
  await clickLauncher(page);
  await untilState(page, "live");
  await untilFirstFrame(page);
  return sessionId(page);
}

declare global {
  interface Window {
    /** What the page's first avatar has done since the test last asked, oldest first. Kept by `recordActivities`. */
    activities: AvatarElement["activity"][] | undefined;
  }
}

/** Notes what the avatars of a test's pages do: what a busy test looks for may be over when it looks. */
export async function recordActivities(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    document.addEventListener("visavis-activitychange", ({ target }) => {
      const element = document.querySelector("visavis-avatar");
      if (element && element === target) (window.activities ??= []).push(element.activity);
    });
  });
}

/** Sends a visitor's message without waiting for the answer. */
export async function ask(page: Page, text: string): Promise<void> {
  await avatar(page).evaluate((element: AvatarElement, question) => {
    window.activities = [];
    void element.send(question);
  }, text);
}

/** Sends a visitor's message and waits until the answer is complete. */
export async function askAndWait(page: Page, text: string): Promise<void> {
  await avatar(page).evaluate((element: AvatarElement, question) => element.send(question), text);
}

/** Makes the avatar say exactly this. */
export async function say(page: Page, text: string): Promise<void> {
  await avatar(page).evaluate((element: AvatarElement, words) => {
    window.activities = [];
    element.say(words);
  }, text);
}

/** The transcript as "role: text (status)". */
export async function transcript(page: Page): Promise<string[]> {
  return avatar(page).evaluate((element: AvatarElement) =>
    element.transcript.map(({ role, text, status }) => `${role}: ${text} (${status})`),
  );
}

/**
 * Waits until the avatar does this: `speaking`, `idle`, … Also what it has done since the last `ask`, `say` or `untilActivity` counts;
 * only `idle` has to be so now.
 */
export async function untilActivity(page: Page, activity: AvatarElement["activity"]): Promise<void> {
  await page.waitForFunction(
    (wanted) => {
      const now = document.querySelector("visavis-avatar")?.activity;
      const done = window.activities ?? [];
      const found = done.indexOf(wanted);
      if (now !== wanted && (wanted === "idle" || found < 0)) return false;
      window.activities = wanted === "idle" ? [] : done.slice(found + 1);
      return true;
    },
    activity,
    { timeout: patience, polling: 25 },
  );
}

/** Waits until the avatar has begun to speak and is silent again. */
export async function untilSpoken(page: Page): Promise<void> {
  await untilActivity(page, "speaking");
  await untilActivity(page, "idle");
}

/** Waits until the panel shows a text. Begin it before what may last a moment only. */
export async function untilShown(page: Page, text: string): Promise<void> {
  await page.waitForFunction(
    (wanted) =>
      document
        .querySelector("visavis-avatar")
        ?.shadowRoot?.querySelector(".vv-shell")
        ?.textContent.includes(wanted),
    text,
    { timeout: patience, polling: 25 },
  );
}

/** All text that the panel shows. */
export async function panelText(page: Page): Promise<string> {
  return avatar(page).evaluate((element) => {
    const texts: string[] = [];
    const visit = (node: Node): void => {
      if (node instanceof HTMLStyleElement) return;
      if (node.nodeType === Node.TEXT_NODE) texts.push(node.textContent ?? "");
      if (node instanceof HTMLElement && node.shadowRoot) visit(node.shadowRoot);
      node.childNodes.forEach(visit);
    };
    visit(element.shadowRoot!);
    return texts.join(" ").replace(/\s+/g, " ");
  });
}

/** Seventeen words, long enough to be cut off in the middle. */
export const longText =
  "One two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen.";
