import { existsSync } from "node:fs";
import { expect, test, type Page } from "../support/test.ts";
import { hear, microphoneOf, soundOf, useMicrophone } from "../support/fake-microphone.ts";
import { recordEvents, seenEvents } from "../support/page-records.ts";
import { useSpeechSite } from "../support/speech-site.ts";
import { openAvatar, panelText, untilActivity, untilSpoken } from "../support/talk.ts";
import { avatar, type AvatarElement } from "../support/widget.ts";

test.skip(!existsSync("/usr/bin/pocketsphinx_continuous"), "PocketSphinx is not installed.");

const served = useSpeechSite();

const talkButton = (page: Page) => avatar(page).locator(".vv-mic");

/** The microphone's track that the connection sends, and whether it is on. */
const sentTrack = (page: Page) =>
  page.evaluate(() => {
    const audio = window.visavisDebug.peerConnection
      .getTransceivers()
      .find(({ receiver }) => receiver.track.kind === "audio");
    return { direction: audio?.currentDirection, sends: audio?.sender.track?.enabled ?? null };
  });

test("a question that is spoken is understood, answered and shown, and a microphone that is muted or switched off sends nothing", async ({
  page,
}) => {
  // The last word has left the page when the pause after it is over.
  const question = await soundOf({ pauseMs: 500 }, "How long does delivery take?", { pauseMs: 1_500 });
  await useMicrophone(page);
  await recordEvents(page);
  await openAvatar(page, `${served.site.origin}/?visavis-debug`);
  await untilSpoken(page);
  // Nothing was asked for and nothing is open before the visitor talks.
  expect(await sentTrack(page)).toEqual({ direction: "sendrecv", sends: null });
  expect(await microphoneOf(page)).toBe("off");
  const understood = async () =>
    (await seenEvents(page)).filter(({ type }) => type === "visavis-transcript").map(({ detail }) => detail);
  // The sound of a busy machine has gaps, which PocketSphinx takes for other words: then it is asked again.
  await expect(async () => {
    const before = (await understood()).length;
    await talkButton(page).hover();
    await page.mouse.down();
    await expect.poll(() => microphoneOf(page)).toBe("on");
    await hear(page, question);
    expect(await panelText(page)).toContain("Release to send");
    await page.mouse.up();
    await expect.poll(async () => (await understood()).length).toBeGreaterThan(before);
    expect((await understood()).at(-1)).toMatchObject({ final: true });
    // The answer's text is there when its first sentence is spoken.
    await untilActivity(page, "speaking");
    expect(JSON.stringify(await seenEvents(page))).toMatch(/5 to 8 working days/);
  }).toPass();
  const events = await seenEvents(page);
  const types = events.map(({ type }) => type);
  expect(types.indexOf("visavis-speechstart")).toBeLessThan(types.indexOf("visavis-speechend"));
  const activities = events
    .filter(({ type }) => type === "visavis-activitychange")
    .map(({ detail }) => (detail as { activity: string }).activity);
  expect(activities).toEqual(expect.arrayContaining(["listening", "thinking", "speaking"]));

  const call = (method: "listen" | "mute" | "unmute" | "stopListening"): Promise<void> =>
    avatar(page).evaluate((element: AvatarElement, name) => element[name](), method);
  await call("listen");
  expect(await sentTrack(page)).toMatchObject({ sends: true });
  await call("mute");
  expect([await microphoneOf(page), (await sentTrack(page)).sends]).toEqual(["muted", false]);
  await call("unmute");
  expect([await microphoneOf(page), (await sentTrack(page)).sends]).toEqual(["on", true]);
  await call("stopListening");
  await expect.poll(() => sentTrack(page)).toMatchObject({ sends: null });
  expect(await microphoneOf(page)).toBe("off");
});
