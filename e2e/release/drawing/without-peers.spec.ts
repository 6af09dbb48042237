/** Without peer connections the avatar is drawn by the browser, and speaks from the sound of single requests. */
import { existsSync } from "node:fs";
import { expect, test, type Page } from "../../support/test.ts";
import { captionedWords, recordEvents, seenErrors } from "../../support/page-records.ts";
import { differentPictures } from "../../support/picture.ts";
import { tolerateSlowDrawing } from "../../support/slow-machine.ts";
import { useSite } from "../../support/served-site.ts";
import { changeContext, storedEvents } from "../../support/service-api.ts";
import { ask, longText, say, transcript, untilActivity, untilSpoken } from "../../support/talk.ts";
import {
  avatar,
  clickLauncher,
  endSession,
  sessionId,
  startSession,
  untilState,
  type AvatarElement,
  withPicture,
} from "../../support/widget.ts";

const served = useSite({ attributes: withPicture });

declare global {
  interface Window {
    /** The texts whose sound the page has asked for, and those that it had when the avatar began to speak. */
    askedTexts: string[];
    askedBefore: string[];
  }
}

/** Sentences that are still being said when a busy machine gets to the next step. */
const longSpeech = `${longText} ${longText} ${longText} ${longText}`;

/** Whether the element that plays the avatar plays sound now. */
function isPlaying(page: Page): Promise<boolean> {
  return avatar(page).evaluate((element) => {
    const video = element.shadowRoot!.querySelector("video")!;
    return !video.paused && !video.ended && !video.muted && video.currentTime > 0;
  });
}

/** The browser refuses each connection, as with an extension that does not allow any. */
async function refusePeers(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const construct = (): never => {
      throw new DOMException("Not allowed.", "NotAllowedError");
    };
    Object.assign(window, { RTCPeerConnection: new Proxy(Object, { construct }) });
  });
}

test.beforeEach(({ page }) => tolerateSlowDrawing(page));

async function removePeers(page: Page): Promise<void> {
  await page.addInitScript(() => Reflect.deleteProperty(window, "RTCPeerConnection"));
}

async function openWithoutPeers(page: Page, prepare = removePeers): Promise<void> {
  await recordEvents(page);
  await prepare(page);
  await page.goto(served.site.origin);
  await clickLauncher(page);
  await untilState(page, "live");
}

test("without WebRTC the avatar is drawn here and speaks, with captions, and the session ends as any other", async ({
  page,
}) => {
  const asked = page.waitForRequest(/\/embed\/v1\/sessions$/);
  await openWithoutPeers(page);
  expect((await asked).postDataJSON()).toMatchObject({ mode: "avatar" });
  await expect(avatar(page)).toHaveAttribute("data-drawn", "local");
  await untilSpoken(page);
  await say(page, longSpeech);
  await expect.poll(() => isPlaying(page)).toBe(true);
  await expect.poll(() => differentPictures(page, 30)).toBeGreaterThan(2);
  await ask(page, "How much is the Alder reading chair?");
  await untilSpoken(page);
  await expect.poll(async () => (await captionedWords(page)).join(" ")).toContain("480");
  expect((await transcript(page)).at(-1)).toMatch(/^avatar: .*480 euros.* \(final\)$/);
  const id = await sessionId(page);
  await endSession(page);
  await expect.poll(async () => (await storedEvents(served.server, id)).at(-1)).toBe("SESSION_END");
  const events = (await storedEvents(served.server, id)).filter((event) => event !== "SESSION_DURING");
  expect(events).toEqual(["SESSION_START", "SESSION_END"]);
  expect(await seenErrors(page)).toEqual([]);
});

test("a browser that refuses each connection is as one without WebRTC", async ({ page }) => {
  const faults: Error[] = [];
  page.on("pageerror", (fault) => faults.push(fault));
  await openWithoutPeers(page, refusePeers);
  await expect(avatar(page)).toHaveAttribute("data-drawn", "local");
  await untilSpoken(page);
  await say(page, longSpeech);
  await expect.poll(() => isPlaying(page)).toBe(true);
  expect(await seenErrors(page)).toEqual([]);
  expect(faults).toEqual([]);
});

test("a session that starts by itself before its context is there speaks in such a browser too", async ({
  page,
}) => {
  await page.route(`**/embed/v1/contexts/${served.context}`, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await route.continue();
  });
  await refusePeers(page);
  await page.goto(served.site.origin);
  await startSession(page);
  await untilState(page, "live");
  await expect(avatar(page)).toHaveAttribute("data-drawn", "local");
  await untilActivity(page, "speaking");
});

test("an interruption silences it at once, and the next text is spoken", async ({ page }) => {
  await openWithoutPeers(page);
  await untilSpoken(page);
  await say(page, longSpeech);
  await expect.poll(() => isPlaying(page)).toBe(true);
  await avatar(page).evaluate((element: AvatarElement) => element.interrupt());
  await expect.poll(() => isPlaying(page)).toBe(false);
  await expect.poll(async () => (await transcript(page)).at(-1)).toMatch(/\(interrupted\)$/);
  await say(page, "Here I am again.");
  await untilSpoken(page);
  expect((await captionedWords(page)).join(" ")).toMatch(/Here I am again\.$/);
  await expect.poll(() => isPlaying(page)).toBe(false);
});

test("asks for one sentence ahead, at the visitor's rate, and follows the volume", async ({ page }) => {
  await page.addInitScript(() => {
    window.askedTexts = [];
    const { fetch: native } = window;
    window.fetch = (input, init) => {
      if (typeof input === "string" && input.endsWith("/tts") && typeof init?.body === "string")
        window.askedTexts.push((JSON.parse(init.body) as { text: string }).text);
      return native(input, init);
    };
    document.addEventListener("visavis-activitychange", ({ detail }) => {
      if (detail.activity === "speaking") window.askedBefore = [...window.askedTexts];
    });
  });
  await openWithoutPeers(page);
  await untilSpoken(page);
  await page.evaluate(() => void (window.askedTexts = []));
  await avatar(page).evaluate((element: AvatarElement) => (element.volume = 0.5));
  await say(page, "This is the first sentence. This is the second sentence. This is the third sentence.");
  await untilActivity(page, "speaking");
  // In the moment in which the first one began.
  expect(await page.evaluate(() => window.askedBefore)).toEqual([
    "This is the first sentence.",
    "This is the second sentence.",
  ]);
  const volume = () => avatar(page).evaluate((element) => element.shadowRoot!.querySelector("video")!.volume);
  await expect.poll(volume).toBe(0.5);
  await untilActivity(page, "idle");
  expect(await page.evaluate(() => window.askedTexts)).toHaveLength(3);
});

test("while the panel is closed no further sentence begins", async ({ page }) => {
  await openWithoutPeers(page);
  await untilSpoken(page);
  await say(page, longSpeech);
  await expect.poll(() => isPlaying(page)).toBe(true);
  const before = (await captionedWords(page)).length;
  await avatar(page).evaluate((element: AvatarElement) => element.close());
  await untilActivity(page, "idle");
  await expect.poll(() => isPlaying(page)).toBe(false);
  const spoken = (await captionedWords(page)).length - before;
  expect(spoken).toBeLessThan(longSpeech.split(/\s+/).length);
  await untilState(page, "live");
});

test("where the avatar's file cannot be loaded, the conversation goes on in writing", async ({ page }) => {
  await page.route(/\/characters\/[^/]+\.json/, (route) => route.abort());
  await openWithoutPeers(page);
  await expect(avatar(page).getByRole("dialog").getByText("answers in writing").first()).toBeVisible();
  await avatar(page).evaluate((element: AvatarElement) =>
    element.send("How much is the Alder reading chair?"),
  );
  expect((await transcript(page)).at(-1)).toMatch(/^avatar: .*480 euros.* \(final\)$/);
  expect(await isPlaying(page)).toBe(false);
});

test("where only the service could understand the visitor, no button asks to speak", async ({ page }) => {
  test.skip(!existsSync("/usr/bin/pocketsphinx_continuous"), "PocketSphinx is not installed.");
  await changeContext(served, ({ embed_config }) => {
    embed_config["stt_type"] = "pocketsphinx";
  });
  await page.addInitScript(() => {
    for (const name of ["SpeechRecognition", "webkitSpeechRecognition"]) Reflect.deleteProperty(window, name);
  });
  await openWithoutPeers(page);
  await expect(avatar(page)).toHaveAttribute("data-drawn", "local");
  await untilActivity(page, "idle");
  await expect(avatar(page).getByRole("button", { name: /Write/ })).toBeVisible();
  await expect(avatar(page).locator(".vv-mic")).toHaveCount(0);
});
