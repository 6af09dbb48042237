/** Several avatars on a page do not talk over each other. */
import { expect, test, type Page } from "../../support/test.ts";
import { hostPage } from "../../support/host-page.ts";
import { useSite } from "../../support/served-site.ts";
import { longText } from "../../support/talk.ts";
import { snippet, type AvatarElement } from "../../support/widget.ts";

declare global {
  interface Window {
    /** What each avatar has done: its place in the page and its activity. */
    done: string[];
  }
}

const inline = 'data-variant="inline" data-target=';
const frame = (relayOrigin: string, context: string, id: string): string =>
  `<iframe id="${id}" title="${id}" src="${relayOrigin}/viewer/${context}?mode=voice" allow="autoplay" width="400" height="500"></iframe>`;
const served = useSite({
  pages: (relayOrigin, context) => ({
    "/": hostPage(
      `<div id="first"></div><div id="second"></div>${snippet(relayOrigin, context, `${inline}"#first"`)}` +
        snippet(relayOrigin, context, `${inline}"#second"`),
    ),
    "/frames": hostPage(
      `${frame(relayOrigin, context, "first")}${frame(relayOrigin, context, "second")}<div id="third"></div>` +
        snippet(relayOrigin, context, `${inline}"#third"`),
    ),
  }),
});

/** So many texts are long enough to be in their middle when a busy machine gets to the other avatar. */
const texts = 4;

const call = (page: Page, place: string, text: string | null) =>
  page.locator(`#${place} visavis-avatar`).evaluate((element: AvatarElement, words) => {
    if (words === null) return element.start();
    element.say(words);
    return undefined;
  }, text);

test("the avatar that begins last speaks, the other one waits and goes on afterwards", async ({ page }) => {
  await page.addInitScript(() => {
    window.done = [];
    document.addEventListener("visavis-activitychange", (event) => {
      const place = (event.target as Element).parentElement?.id ?? "";
      window.done.push(`${place} ${(event as CustomEvent<{ activity: string }>).detail.activity}`);
    });
  });
  await page.goto(served.site.origin);
  await page.locator("#second visavis-avatar [part~=launcher-button]").waitFor();
  await call(page, "first", null);
  const done = () => page.evaluate(() => window.done.filter((line) => /speaking|idle/.test(line)));
  await expect.poll(done).toEqual(["first speaking", "first idle"]);
  for (let said = 0; said < texts; said++) await call(page, "first", longText);
  await expect.poll(done).toHaveLength(3);
  // It greets at once, in the middle of what the first one says.
  await call(page, "second", null);
  await expect
    .poll(async () => (await done()).slice(3))
    .toEqual(["first idle", "second speaking", "second idle", "first speaking", "first idle"]);
  const { text, status } = (await page
    .locator("#first visavis-avatar")
    .evaluate((element: AvatarElement) => element.transcript.at(-1)))!;
  expect([text, status]).toEqual([longText, "final"]);
});

/** Records what the avatars of the page's frames post, and what the page's own avatar does. */
async function recordFrames(page: Page): Promise<void> {
  await page.addInitScript(() => {
    if (window !== window.top) return;
    window.done = [];
    const note = (place: string, activity: string) => {
      if (/speaking|idle/.test(activity)) window.done.push(`${place} ${activity}`);
    };
    document.addEventListener("visavis-activitychange", (event) => {
      note("third", (event as CustomEvent<{ activity: string }>).detail.activity);
    });
    window.addEventListener("message", ({ source, data }: MessageEvent<Record<string, unknown>>) => {
      const place = [...document.querySelectorAll("iframe")].find((one) => one.contentWindow === source);
      if (data["type"] === "visavis-activitychange" && place)
        note(place.id, (data["detail"] as { activity: string }).activity);
    });
  });
}

/** A command to the avatar of a frame, as pages send it. */
const tell = (page: Page, place: string, name: string, ...args: string[]) =>
  page.evaluate(
    ([origin, id, message]) => {
      const target = document.getElementById(id) as HTMLIFrameElement;
      target.contentWindow?.postMessage(message, origin);
    },
    [served.server.origin, place, { target: "visavis", command: name, args }] as const,
  );

/** What was done. Between frames a beginning may be seen before the pause that it causes: the pause is put first. */
async function done(page: Page): Promise<string[]> {
  const lines = await page.evaluate(() => window.done);
  for (let at = 1; at < lines.length; at++) {
    const [before = "", line = ""] = lines.slice(at - 1, at + 1);
    const isSamePlace = before.split(" ")[0] === line.split(" ")[0];
    if (before.endsWith("speaking") && line.endsWith("idle") && !isSamePlace) {
      lines[at - 1] = line;
      lines[at] = before;
    }
  }
  return lines;
}

const noteOf = (place: string): string[] => [`${place} speaking`, `${place} idle`];

/** Starts the avatars of frames and the page's own, one after the other. Resolves when each has greeted. */
async function greetAll(page: Page, places: readonly string[]): Promise<void> {
  await recordFrames(page);
  await page.goto(`${served.site.origin}/frames`);
  await page.locator("#third [part~=launcher-button]").waitFor();
  for (const place of places) {
    if (place === "third") await call(page, place, null);
    else {
      await page.frameLocator(`#${place}`).locator("visavis-avatar:defined").waitFor({ state: "attached" });
      await expect(async () => {
        // It may not listen yet.
        await tell(page, place, "start");
        expect(await done(page)).toContain(`${place} speaking`);
      }).toPass({ intervals: [1_000] });
    }
    await expect.poll(async () => (await done(page)).slice(-2)).toEqual(noteOf(place));
  }
  expect(await done(page)).toEqual(places.flatMap(noteOf));
}

/** Makes an avatar say something in the middle of what another one says. */
async function interrupt(page: Page, speaker: string, other: string, words = ["Excuse me."]): Promise<void> {
  const say = (place: string, text: string) =>
    place === "third" ? call(page, place, text) : tell(page, place, "say", text);
  for (let said = 0; said < texts; said++) await say(speaker, longText);
  await expect.poll(async () => (await done(page)).at(-1)).toBe(`${speaker} speaking`);
  for (const text of words) await say(other, text);
}

test("avatars in frames of a page do not talk over each other, nor over the page's own", async ({ page }) => {
  await greetAll(page, ["first", "second", "third"]);
  for (const [speaker, other] of [
    ["first", "second"],
    ["second", "third"],
  ] as const) {
    const before = (await done(page)).length;
    await interrupt(page, speaker, other);
    await expect
      .poll(async () => (await done(page)).slice(before))
      .toEqual([...noteOf(speaker), ...noteOf(other), ...noteOf(speaker)]);
  }
});

test("a frame that is removed while it speaks makes no other avatar wait", async ({ page }) => {
  await greetAll(page, ["first", "third"]);
  const before = (await done(page)).length;
  await interrupt(page, "third", "first", Array<string>(texts).fill(longText));
  await expect.poll(async () => (await done(page)).at(-1)).toBe("first speaking");
  await page.locator("#first").evaluate((one) => {
    one.remove();
  });
  await expect
    .poll(async () => (await done(page)).slice(before))
    .toEqual([...noteOf("third"), "first speaking", ...noteOf("third")]);
});
