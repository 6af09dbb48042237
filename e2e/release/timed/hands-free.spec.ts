import { existsSync } from "node:fs";
import { expect, test, type Browser, type Page } from "../../support/test.ts";
import { browserWithMicrophone, microphoneOf, soundFile, type Heard } from "../../support/fake-microphone.ts";
import { recordEvents, seenEvents } from "../../support/page-records.ts";
import { useSpeechSite } from "../../support/speech-site.ts";
import {
  longText,
  openAvatar,
  recordActivities,
  say,
  transcript,
  untilActivity,
} from "../../support/talk.ts";
import { avatar, type AvatarElement } from "../../support/widget.ts";

test.skip(!existsSync("/usr/bin/pocketsphinx_continuous"), "PocketSphinx is not installed.");

const served = useSpeechSite();
let browser: Browser;

test.afterEach(() => browser.close());

const quiet = { pauseMs: 60_000 };
const speech =
  "We deliver to Austria, Germany, Italy, Slovenia and Switzerland. You choose the day of delivery, and we call you before we arrive.";

/** A live conversation in a browser whose microphone hears this from the moment at which it is opened. */
async function converse(...heard: Heard[]): Promise<Page> {
  browser = await browserWithMicrophone(test.info(), await soundFile(...heard));
  const page = await browser.newPage();
  await recordActivities(page.context());
  await recordEvents(page);
  await openAvatar(page, `${served.site.origin}/?visavis-debug`);
  return page;
}

const listen = (page: Page) => avatar(page).evaluate((element: AvatarElement) => element.listen());

const conversation = async (page: Page) => (await transcript(page)).join("\n");

/** "Can I pay by card?", as it is heard: the recognizer is a small one, and the sound of a busy machine has gaps. */
const cardQuestion = /visitor: .*(can|pay|paid|car).*\(final\)/;

const namesOf = async (page: Page) =>
  (await seenEvents(page)).map(({ type }) => type.replace("visavis-", ""));

/** Noise of this loudness, 1 at full scale. The same each time. */
const noise =
  (ms: number, loudness: number): Heard =>
  (rateHz) => {
    let seed = 7;
    return Int16Array.from({ length: (ms * rateHz) / 1_000 }, () => {
      seed = (seed * 16_807) % 2_147_483_647;
      return ((seed / 2_147_483_647) * 2 - 1) * loudness * 32_767;
    });
  };

test("a turn is found by its sound: question, answer, and the microphone stays open", async () => {
  const page = await converse({ pauseMs: 1_500 }, "How long does delivery take?", quiet);
  const button = avatar(page).locator(".vv-mic");
  await button.click();
  await expect.poll(() => conversation(page)).toMatch(/visitor: .*(long|delivery).*\(final\)\navatar: .+ /);
  const events = await seenEvents(page);
  expect(events.filter(({ type }) => type === "visavis-speechstart")).toHaveLength(1);
  expect(await microphoneOf(page)).toBe("on");
  await expect(button).toHaveAccessibleName("Turn the microphone off");
  await button.click();
  await expect.poll(() => microphoneOf(page)).toBe("off");
});

test("a visitor who speaks over the avatar stops it, and what it has not said is marked", async () => {
  const page = await converse({ pauseMs: 4_000 }, "Can I pay by card?", quiet);
  // It speaks already when the visitor begins, and still does on a busy machine.
  await say(page, speech.replace("You choose", `${longText} ${longText} You choose`));
  await untilActivity(page, "speaking");
  await listen(page);
  await expect.poll(() => conversation(page)).toMatch(cardQuestion);
  const lines = await transcript(page);
  const stopped = lines.find((line) => line.includes("(interrupted)"));
  expect(stopped).toMatch(/^avatar: We deliver/);
  expect(stopped).not.toContain("arrive");
});

/** Expects that the avatar says its speech to the end while the microphone is open, and that nothing counts as a question. */
async function expectSaidToItsEnd(page: Page): Promise<void> {
  await listen(page);
  await say(page, speech);
  await untilActivity(page, "speaking");
  await expect
    .poll(
      async () =>
        (await seenEvents(page)).filter(({ type }) => type === "visavis-caption").at(-1)?.detail["word"],
    )
    .toMatch(/arrive/);
  expect(await namesOf(page)).not.toContain("interrupted");
  expect((await transcript(page)).filter((line) => line.startsWith("visitor"))).toEqual([]);
}

test("a cough does not stop the avatar", async () => {
  const page = await converse({ pauseMs: 4_000 }, noise(120, 0.5), quiet);
  await expectSaidToItsEnd(page);
});

test("ten seconds of sudden loud noise begin no turn", async () => {
  const page = await converse(
    { pauseMs: 1_000 },
    noise(10_000, 0.5),
    { pauseMs: 800 },
    "Can I pay by card?",
    quiet,
  );
  await listen(page);
  // The question after the noise is understood: what came before it was heard, and was no turn.
  await expect.poll(() => conversation(page)).toMatch(cardQuestion);
  const events = await seenEvents(page);
  expect(events.filter(({ type }) => type === "visavis-speechstart")).toHaveLength(1);
});

test("the avatar's own voice, heard through the loudspeaker, never interrupts it", async () => {
  const page = await converse(quiet);
  // The microphone of a loudspeaker without any cancellation: it hears exactly what is played.
  await page.evaluate(() => {
    const audio = window.visavisDebug.peerConnection
      .getReceivers()
      .find(({ track }) => track.kind === "audio");
    const context = new AudioContext();
    const room = context.createMediaStreamDestination();
    context.createMediaStreamSource(new MediaStream([audio!.track])).connect(room);
    navigator.mediaDevices.getUserMedia = () => Promise.resolve(room.stream.clone());
  });
  await expectSaidToItsEnd(page);
});
