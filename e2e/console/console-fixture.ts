import { violations } from "../support/axe.ts";
import { expect, operatorPassword, type Locator, type Page } from "../support/test.ts";
import { useServerAlone, type Served } from "../support/served-site.ts";
import { canaryKey, type Server } from "../support/stack.ts";

export const password = operatorPassword;

/** The console of the server that all tests share. They look only at what they make themselves. */
export const useConsole = (): Pick<Served, "server"> => useServerAlone();

declare global {
  interface Window {
    /** What the page has said by its status messages, oldest first. Set by `recordStatuses`. */
    seenStatuses: string[];
  }
}

/** Notes what pages say by status messages: most go by themselves, and a busy test may look when they are gone. */
export async function recordStatuses(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shown = new WeakMap<Element, string>();
    const seen: string[] = [];
    window.seenStatuses = seen;
    new MutationObserver(() => {
      for (const status of document.querySelectorAll("[role=status]")) {
        const text = status.textContent.trim();
        if (text !== "" && text !== shown.get(status)) seen.push(text);
        shown.set(status, text);
      }
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });
}

/** Waits until the page has said something by a status message since it was loaded. */
export async function expectStatus(page: Page, words: string | RegExp): Promise<void> {
  const message = typeof words === "string" ? expect.stringContaining(words) : expect.stringMatching(words);
  await expect.poll(() => page.evaluate(() => window.seenStatuses)).toContainEqual(message);
}

/** Sounds of the page go on until they are stopped: a busy test may look when a sentence is over. */
export async function loopSounds(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const play = HTMLMediaElement.prototype.play;
    HTMLMediaElement.prototype.play = function () {
      this.loop = true;
      return play.call(this);
    };
  });
}

/** Opens a page of the console for somebody who is not signed in. */
export async function openConsole(page: Page, { origin }: Server, path = ""): Promise<void> {
  await recordStatuses(page);
  await page.goto(`${origin}/console/${path && `#${path}`}`);
}

/** Opens a page of the console, signed in as the first owner. The form itself is tested in `sign-in.spec.ts`. */
export async function signIn(page: Page, server: Server, path = ""): Promise<void> {
  const answer = await page.request.post(`${server.origin}/api/console/login/`, { data: { password } });
  expect(answer.ok()).toBe(true);
  await openConsole(page, server, path);
  await expect(page.getByRole("navigation").first()).toBeVisible();
}

/** The card of an avatar in the list. */
export const avatarCard = (page: Page, id: string): Locator =>
  page.locator(`article[aria-labelledby="avatar-${id}"]`);

const editorAddress = /#\/avatars\/([\da-f-]{36})\//;

/** The id of the avatar whose editor the page opens. */
export async function openedAvatar(page: Page): Promise<string> {
  await page.waitForURL(editorAddress);
  return editorAddress.exec(page.url())?.[1] ?? "";
}

/** Calls the service with an API key, as an owner's program. */
export async function callService(
  { origin }: Server,
  method: string,
  path: string,
  body?: unknown,
): Promise<Response> {
  return fetch(`${origin}${path}`, {
    method,
    headers: { "ServicePlatform-APIKey": canaryKey, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

/** The widget in the editor's preview has tests of its own. */
export const exclude = "iframe";
export const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** Fails when axe finds a problem, or in dark colours a wrong contrast: nothing else differs there. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await expect.poll(() => violations(page, { exclude, tags }), "light").toEqual([]);
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await expect.poll(() => violations(page, { exclude, only: ["color-contrast"] }), "dark").toEqual([]);
}

/** Fails when the page is wider than the window. */
export async function expectNoSidewaysScrolling(page: Page, where = "the page"): Promise<void> {
  // A window that has just been sized is laid out anew.
  await expect
    .poll(
      () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      where,
    )
    .toBeLessThanOrEqual(0);
}

/** Collects what the page reports against its security policy, and its errors. */
export function pageProblems(page: Page): string[] {
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" && /policy|trusted/i.test(message.text())) problems.push(message.text());
  });
  return problems;
}
