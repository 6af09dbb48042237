/** What a visitor sees of a voice whose mouth shapes do not arrive. */
import { expect, test, type Page } from "../../support/test.ts";
import { captionedWords, recordEvents } from "../../support/page-records.ts";
import { hostPage } from "../../support/host-page.ts";
import { tolerateSlowDrawing } from "../../support/slow-machine.ts";
import { useSite } from "../../support/served-site.ts";
import { longText, openAvatar, say, untilSpoken } from "../../support/talk.ts";
import { avatar, snippet, type AvatarElement } from "../../support/widget.ts";

const served = useSite({
  pages: (relayOrigin, context) => ({ "/": hostPage(snippet(relayOrigin, context, "", "local")) }),
});

test.beforeEach(({ page }) => tolerateSlowDrawing(page));

declare global {
  interface Window {
    /** What does not arrive of the messages about speeches: the ordered notices, or the parts of timelines too. */
    loses: "nothing" | "notices" | "all";
  }
}

/** Lets a page lose what the service tells of its speeches, as a line does that loses packets. */
async function makeLossy(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.loses = "nothing";
    const create = RTCPeerConnection.prototype.createDataChannel;
    RTCPeerConnection.prototype.createDataChannel = function (this: RTCPeerConnection, ...words) {
      const channel = create.apply(this, words);
      // Before the widget's own handler.
      channel.addEventListener("message", (event: MessageEvent<unknown>) => {
        const isLost =
          channel.label === "speech"
            ? window.loses === "all"
            : window.loses !== "nothing" && String(event.data).includes('"type":"stf"');
        if (isLost) event.stopImmediatePropagation();
      });
      return channel;
    };
  });
}

/** Around the mouth, as shares of a character's square picture. */
const mouth = { left: 0.42, top: 0.56, width: 0.16, height: 0.1 };

/** How much the mouth changes in so many frames of the page, at most, as a mean of the colours' differences. */
async function mouthMotion(page: Page, frames: number): Promise<number> {
  return avatar(page).evaluate(
    async (element, [count, region]) => {
      const picture = element.shadowRoot!.querySelector<HTMLCanvasElement>(".vv-stage canvas")!;
      const [width, height] = [region.width * picture.width, region.height * picture.height];
      const copy = new OffscreenCanvas(Math.round(width), Math.round(height));
      const context = copy.getContext("2d", { willReadFrequently: true })!;
      let first: Uint8ClampedArray | undefined;
      let most = 0;
      for (let frame = 0; frame < count; frame++) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
        context.clearRect(0, 0, copy.width, copy.height);
        context.drawImage(picture, -region.left * picture.width, -region.top * picture.height);
        const { data } = context.getImageData(0, 0, copy.width, copy.height);
        first ??= data;
        const before = first;
        const sum = data.reduce((all, value, i) => all + Math.abs(value - (before[i] ?? 0)), 0);
        most = Math.max(most, sum / data.length);
      }
      return most;
    },
    [frames, mouth] as const,
  );
}

test("the mouth follows the voice that is heard as long as nothing says what is spoken", async ({ page }) => {
  await makeLossy(page);
  await page.emulateMedia({ reducedMotion: "reduce" });
  const measured = page.waitForResponse(/\/sound-delay-[^/]*\.js$/);
  await openAvatar(page, served.site.origin);
  await expect(avatar(page)).toHaveAttribute("data-drawn", "local");
  await measured;
  await untilSpoken(page);
  // On a busy machine the picture comes after the sound: at first the mouth may still close.
  let atRest = Infinity;
  await expect.poll(async () => (atRest = await mouthMotion(page, 30))).toBeLessThan(8);
  await page.evaluate(() => void (window.loses = "all"));
  for (let said = 0; said < 3; said++) await say(page, longText);
  await expect.poll(() => mouthMotion(page, 30)).toBeGreaterThan(atRest + 4);
  // The notice would have said so.
  expect(await avatar(page).evaluate((element: AvatarElement) => element.activity)).not.toBe("speaking");
});

test("captions come in time where the notice of a speech is lost, and only once where it is not", async ({
  page,
}) => {
  await makeLossy(page);
  await recordEvents(page);
  const measured = page.waitForResponse(/\/sound-delay-[^/]*\.js$/);
  await openAvatar(page, served.site.origin);
  await measured;
  await untilSpoken(page);
  const before = (await captionedWords(page)).length;
  await page.evaluate(() => void (window.loses = "notices"));
  await say(page, longText);
  await untilSpoken(page);
  await page.evaluate(() => void (window.loses = "nothing"));
  await say(page, longText);
  await untilSpoken(page);
  expect((await captionedWords(page)).slice(before)).toEqual(`${longText} ${longText}`.split(" "));
});
