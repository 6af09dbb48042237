import type { Page } from "@playwright/test";
import { avatar, clickLauncher, seenEvents, sessionId, untilFirstFrame, untilState } from "./widget.ts";

/** What of the element's contract the fault tests use. */
export interface AvatarElement extends HTMLElement {
  send(text: string): Promise<void>;
  say(text: string): void;
  start(): Promise<void>;
  end(): Promise<void>;
  readonly state: string;
  readonly transcript: readonly { role: string; text: string; status: string }[];
}

/** Opens the page's avatar by its launcher; answers the session's id once the picture is there. */
export async function openAvatar(page: Page, address: string): Promise<string> {
  await page.goto(address);
  await clickLauncher(page);
  await untilState(page, "live");
  await untilFirstFrame(page);
  return sessionId(page);
}

/** Asks without waiting for the answer. */
export async function ask(page: Page, text: string): Promise<void> {
  await avatar(page).evaluate((element, question) => void (element as AvatarElement).send(question), text);
}

/** Has the avatar say exactly this. */
export async function say(page: Page, text: string): Promise<void> {
  await avatar(page).evaluate((element, words) => (element as AvatarElement).say(words), text);
}

/** The transcript as "role: text (status)". */
export async function transcript(page: Page): Promise<string[]> {
  return avatar(page).evaluate((element) =>
    (element as AvatarElement).transcript.map(({ role, text, status }) => `${role}: ${text} (${status})`),
  );
}

/** The states that the visitor has seen, oldest first. Needs `recordEvents`. */
export async function seenStates(page: Page): Promise<string[]> {
  return (await seenEvents(page))
    .filter(({ type }) => type === "visavis-statechange")
    .map(({ detail }) => String(detail["state"]));
}

/** The codes of the errors that the page was told. Needs `recordEvents`. */
export async function seenErrors(page: Page): Promise<string[]> {
  return (await seenEvents(page))
    .filter(({ type }) => type === "visavis-error")
    .map(({ detail }) => String(detail["code"]));
}

/** Words captioned so far. Needs `recordEvents`. */
export async function captionedWords(page: Page): Promise<string[]> {
  return (await seenEvents(page))
    .filter(({ type }) => type === "visavis-caption")
    .map(({ detail }) => String(detail["word"]));
}

/** Everything that is to be read in the panel. */
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
