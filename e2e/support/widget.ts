import { test, type Locator, type Page } from "@playwright/test";
import type { Drawer } from "../../src/protocol/settings/drawing-settings.ts";
import { patience } from "./patience.ts";
// Declares the element in HTMLElementTagNameMap.
import type {} from "../../src/widget/visavis-avatar.ts";

/** The element as the page's scripts see it. */
export type AvatarElement = HTMLElementTagNameMap["visavis-avatar"];

/** The project that runs tests of the avatar with one that the browser draws. */
export const drawnProject = "drawn";

/** The attribute of an avatar with a picture, which a test's page has only where the test is about it. */
export const withPicture = 'data-mode="avatar"';

/**
 * What a test's avatar is unless its attributes say it: a voice alone, since a picture that the service draws takes half of a
 * processor's core; in the project `drawn` one that the browser draws. Left to itself, a browser would decide by how fast this machine draws.
 */
function usualAttributes(attributes: string): string {
  if (attributes.includes("data-render")) return attributes;
  let project: string | null = null;
  try {
    project = test.info().project.name;
  } catch {
    // A benchmark.
  }
  if (project === drawnProject) return `data-render="local" ${attributes}`;
  const isVoice = project === "pages" && !attributes.includes("data-mode");
  return `data-render="remote" ${isVoice ? 'data-mode="voice" ' : ""}${attributes}`;
}

/** The snippet that an owner puts into a page. `drawer` says who draws the avatar, null: as the context says. */
export function snippet(
  relayOrigin: string,
  context: string,
  attributes = "",
  drawer?: Drawer | null,
): string {
  let all = attributes;
  if (drawer === undefined) all = usualAttributes(attributes);
  else if (drawer !== null) all = `data-render="${drawer}" ${attributes}`;
  return `<script async src="${relayOrigin}/embed.js" data-context="${context}" ${all}></script>`;
}

/** The page's first avatar. */
export function avatar(page: Page): Locator {
  return page.locator("visavis-avatar").first();
}

/** The button of its launcher. */
export function launcher(page: Page): Locator {
  return page.locator("visavis-avatar [part~=launcher-button]").first();
}

/** The frame in which the avatar stands. */
export function stageFrame(page: Page): Locator {
  return page.locator("visavis-avatar .vv-stage").first();
}

/** The canvas that shows the avatar. */
export function stageCanvas(page: Page): Locator {
  return page.locator("visavis-avatar canvas").first();
}

/** The button that an error and an ended session offer. */
export function tryAgainButton(page: Page): Locator {
  return avatar(page).getByRole("button", { name: "Try again" });
}

/** Opens the avatar by its launcher. */
export async function clickLauncher(page: Page): Promise<void> {
  await launcher(page).click();
}

/** Calls the element's `start()` as soon as the element has it, without waiting for the session. */
export async function startSession(page: Page): Promise<void> {
  await page.waitForFunction(() => typeof document.querySelector("visavis-avatar")?.start === "function");
  await avatar(page).evaluate((element: AvatarElement) => void element.start().catch(() => undefined));
}

/** Ends the session by the element's `end()`. */
export async function endSession(page: Page): Promise<void> {
  await avatar(page).evaluate((element: AvatarElement) => element.end());
}

/** The element's state. */
export async function stateOf(page: Page): Promise<string> {
  return avatar(page).evaluate((element: AvatarElement) => element.state);
}

/** The element's session id. Throws when there is no session. */
export async function sessionId(page: Page): Promise<string> {
  const id = await avatar(page).evaluate((element: AvatarElement) => element.sessionId);
  if (!id) throw new Error("There is no session.");
  return id;
}

/** Waits until the element has reached one of the states. */
export async function untilState(page: Page, ...states: string[]): Promise<void> {
  await page.waitForFunction(
    (wanted) => wanted.includes(document.querySelector("visavis-avatar")?.state ?? ""),
    states,
    { timeout: patience, polling: 25 },
  );
}

/** Waits until the page has drawn a frame of the received video, draws the avatar itself, or has a voice alone or a text. */
export async function untilFirstFrame(page: Page): Promise<void> {
  await page.waitForFunction(
    () => {
      const avatar = document.querySelector("visavis-avatar");
      if (avatar?.getAttribute("data-drawn") === "local") return true;
      if (/^(?:voice|text)$/.test(avatar?.getAttribute("mode") ?? "")) return avatar?.state === "live";
      const video = avatar?.shadowRoot?.querySelector("video");
      return Boolean(video && video.videoWidth > 0 && video.getVideoPlaybackQuality().totalVideoFrames > 2);
    },
    undefined,
    { timeout: patience, polling: 25 },
  );
}

/** Waits until no animation of the widget runs, apart from those that never end. */
export async function untilAnimationsEnd(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const animations = document.querySelector("visavis-avatar")?.shadowRoot?.getAnimations() ?? [];
    return animations.every(
      ({ playState, effect }) =>
        playState !== "running" || effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY,
    );
  });
}
