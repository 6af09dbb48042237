import type { Page } from "@playwright/test";
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

/** Sends a visitor's message without waiting for the answer. */
export async function ask(page: Page, text: string): Promise<void> {
  await avatar(page).evaluate((element: AvatarElement, question) => void element.send(question), text);
}

/** Sends a visitor's message and waits until the answer is complete. */
export async function askAndWait(page: Page, text: string): Promise<void> {
  await avatar(page).evaluate((element: AvatarElement, question) => element.send(question), text);
}

/** Makes the avatar say exactly this. */
export async function say(page: Page, text: string): Promise<void> {
  await avatar(page).evaluate((element: AvatarElement, words) => element.say(words), text);
}

/** The transcript as "role: text (status)". */
export async function transcript(page: Page): Promise<string[]> {
  return avatar(page).evaluate((element: AvatarElement) =>
    element.transcript.map(({ role, text, status }) => `${role}: ${text} (${status})`),
  );
}

/** Waits until the avatar does this: `speaking`, `idle`, … */
export async function untilActivity(page: Page, activity: AvatarElement["activity"]): Promise<void> {
  await page.waitForFunction(
    (wanted) => document.querySelector("visavis-avatar")?.activity === wanted,
    activity,
    { timeout: 20_000, polling: 25 },
  );
}

/** Waits until the avatar has begun to speak and is silent again. */
export async function untilSpoken(page: Page): Promise<void> {
  await untilActivity(page, "speaking");
  await untilActivity(page, "idle");
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
