import { existsSync } from "node:fs";
import { expect, test, type Page } from "../support/test.ts";
import { microphoneOf } from "../support/fake-microphone.ts";
import { useSpeechSite } from "../support/speech-site.ts";
import { openAvatar } from "../support/talk.ts";
import { avatar, type AvatarElement } from "../support/widget.ts";

test.skip(!existsSync("/usr/bin/pocketsphinx_continuous"), "PocketSphinx is not installed.");

// The devices of `--use-fake-device-for-media-stream`: two microphones besides the system's choice.

const served = useSpeechSite();

/** The microphone's track that the connection sends. */
const sent = (page: Page) =>
  page.evaluate(() => {
    const track = window.visavisDebug.peerConnection
      .getTransceivers()
      .find(({ receiver }) => receiver.track.kind === "audio")?.sender.track;
    return track ? { id: track.id, label: track.label } : null;
  });

async function listen(page: Page): Promise<string> {
  await openAvatar(page, `${served.site.origin}/?visavis-debug`);
  await avatar(page).evaluate((element: AvatarElement) => element.listen());
  await expect.poll(() => microphoneOf(page)).toBe("on");
  return (await sent(page))!.id;
}

test("another microphone, chosen in the settings, takes over while the visitor talks", async ({ page }) => {
  const before = await listen(page);
  await avatar(page).getByRole("button", { name: "Settings" }).click();
  const list = avatar(page).getByRole("combobox", { name: "Microphone" });
  // They are listed when the browser has told them.
  await expect.poll(() => list.locator("option").count()).toBeGreaterThan(1);
  const other = await list.locator("option").last().textContent();
  await list.selectOption({ label: other!.trim() });
  await expect.poll(async () => (await sent(page))?.label).toBe(other!.trim());
  expect((await sent(page))?.id).not.toBe(before);
  await expect.poll(() => microphoneOf(page)).toBe("on");
});

test("when the microphone is unplugged, the system's next one takes over", async ({ page }) => {
  const before = await listen(page);
  await page.evaluate(() => {
    const sender = window.visavisDebug.peerConnection
      .getTransceivers()
      .find(({ receiver }) => receiver.track.kind === "audio")!.sender;
    const unplugged = sender.track!;
    // What the browser does when a device is gone; fake devices cannot be unplugged.
    unplugged.stop();
    unplugged.dispatchEvent(new Event("ended"));
  });
  await expect.poll(async () => (await sent(page))?.id).not.toBe(before);
  expect(await sent(page)).not.toBeNull();
  await expect.poll(() => microphoneOf(page)).toBe("on");
});
