/** Several avatars on a page do not talk over each other. */
import { expect, test, type Page } from "../support/test.ts";
import { hostPage } from "../support/host-page.ts";
import { useSite } from "../support/served-site.ts";
import { longText } from "../support/talk.ts";
import { snippet, type AvatarElement } from "../support/widget.ts";

declare global {
  interface Window {
    /** What each avatar has done: its place in the page and its activity. */
    done: string[];
  }
}

const inline = 'data-variant="inline" data-target=';
const frame = (relayOrigin: string, context: string, id: string): string =>
  `<iframe id="${id}" title="${id}" src="${relayOrigin}/viewer/${context}" allow="autoplay" width="400" height="500"></iframe>`;
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

const call = (page: Page, place: string, text: string | null) =>
  page.locator(`#${place} visavis-avatar`).evaluate((element: AvatarElement, words) => {
    if (words === null) return element.start();
    element.say(words);
    return undefined;
  }, text);

test("the avatar that begins last speaks, the other one waits and goes on afterwards", async ({ page }) => {
  test.setTimeout(120_000);
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
  await expect.poll(done, { timeout: 30_000 }).toEqual(["first speaking", "first idle"]);
  await call(page, "first", longText);
  await expect.poll(done, { timeout: 40_000 }).toHaveLength(3);
  // It greets at once, in the middle of what the first one says.
  await call(page, "second", null);
  await expect
    .poll(async () => (await done()).slice(3), { timeout: 40_000 })
    .toEqual(["first idle", "second speaking", "second idle", "first speaking", "first idle"]);
  const { text, status } = (await page
    .locator("#first visavis-avatar")
    .evaluate((element: AvatarElement) => element.transcript.at(-1)))!;
  expect([text, status]).toEqual([longText, "final"]);
});

/** Lasts for longer than the avatar of a frame needs to begin, also on a busy machine. */
const lastingText = longText.replace(".", ", ").repeat(3);

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

/** Starts the avatar of a frame, which greets, and waits until it has begun to. */
async function startFrame(page: Page, place: string): Promise<void> {
  await page
    .frameLocator(`#${place}`)
    .locator("visavis-avatar:defined")
    .waitFor({ state: "attached", timeout: 30_000 });
  await expect
    .poll(
      async () => {
        await tell(page, place, "start");
        return (await done(page)).includes(`${place} speaking`);
      },
      { timeout: 30_000, intervals: [1_000] },
    )
    .toBe(true);
}

test("avatars in frames of a page do not talk over each other, nor over the page's own", async ({ page }) => {
  test.setTimeout(180_000);
  await recordFrames(page);
  await page.goto(`${served.site.origin}/frames`);
  const all = () => done(page);
  await startFrame(page, "first");
  await expect.poll(all, { timeout: 30_000 }).toEqual(["first speaking", "first idle"]);
  await tell(page, "first", "say", lastingText);
  await expect.poll(all, { timeout: 30_000 }).toHaveLength(3);
  await startFrame(page, "second");
  await expect
    .poll(async () => (await all()).slice(3), { timeout: 60_000 })
    .toEqual(["first idle", "second speaking", "second idle", "first speaking", "first idle"]);

  const before = (await all()).length;
  const later = async () => (await all()).slice(before);
  await tell(page, "second", "say", lastingText);
  await expect.poll(later, { timeout: 30_000 }).toEqual(["second speaking"]);
  await page.locator("#third [part~=launcher-button]").waitFor();
  await call(page, "third", null);
  await expect
    .poll(later, { timeout: 60_000 })
    .toEqual([
      "second speaking",
      "second idle",
      "third speaking",
      "third idle",
      "second speaking",
      "second idle",
    ]);
});

test("a frame that is removed while it speaks makes no other avatar wait", async ({ page }) => {
  test.setTimeout(120_000);
  await recordFrames(page);
  await page.goto(`${served.site.origin}/frames`);
  await page.locator("#third [part~=launcher-button]").waitFor();
  await call(page, "third", null);
  await expect.poll(() => done(page), { timeout: 30_000 }).toEqual(["third speaking", "third idle"]);
  await call(page, "third", lastingText);
  await expect.poll(() => done(page), { timeout: 30_000 }).toHaveLength(3);
  await startFrame(page, "first");
  await page.locator("#first").evaluate((one) => {
    one.remove();
  });
  await expect
    .poll(async () => (await done(page)).slice(3), { timeout: 60_000 })
    .toEqual(["third idle", "first speaking", "third speaking", "third idle"]);
});
