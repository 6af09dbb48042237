/** What nobody sees is not sent. */
import { expect, test, type Page } from "../support/test.ts";
import { recordConnections } from "../support/page-records.ts";
import { useSite } from "../support/served-site.ts";
import { untilModule } from "../support/page-modules.ts";
import { openAvatar } from "../support/talk.ts";
import { untilState, withPicture } from "../support/widget.ts";

const served = useSite({ attributes: withPicture });

interface Received {
  /** Messages of the service: it answers the page's ping each second. */
  messages: number;
  video: number;
  audio: number;
}

async function received(page: Page): Promise<Received> {
  return page.evaluate(async () => {
    const reports = [...(await window.madeConnections.at(-1)!.getStats()).values()];
    const packets = (kind: string): number =>
      Number(
        reports.find(({ type, kind: has }) => type === "inbound-rtp" && has === kind)?.packetsReceived ?? 0,
      );
    const channel = reports.find(({ type }) => type === "data-channel");
    return {
      messages: Number(channel?.messagesReceived ?? 0),
      video: packets("video"),
      audio: packets("audio"),
    };
  });
}

async function untilMore(page: Page, kind: "video" | "audio"): Promise<void> {
  const before = (await received(page))[kind];
  await expect.poll(async () => (await received(page))[kind]).toBeGreaterThan(before + 3);
}

/** Waits until the service has answered pings and sent no picture meanwhile: 25 come from ping to ping. */
async function untilNoVideo(page: Page): Promise<void> {
  let before = await received(page);
  await expect(async () => {
    const now = await received(page);
    if (now.video > before.video) before = now;
    expect(now.messages).toBeGreaterThan(before.messages + 1);
  }).toPass({ intervals: [200] });
}

test("a hidden tab and a closed panel get sound and no video, which goes on at once and is asked for once when they are seen", async ({
  page,
}) => {
  await recordConnections(page);
  const cared = untilModule(page, "session-care");
  await openAvatar(page, served.site.origin);
  await cared;
  const setHidden = (hidden: boolean): Promise<void> =>
    page.evaluate((isHidden) => {
      Object.defineProperty(document, "hidden", { get: () => isHidden, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, hidden);
  await untilMore(page, "video");
  await setHidden(true);
  await untilNoVideo(page);
  await untilMore(page, "audio");
  await setHidden(false);
  await untilMore(page, "video");

  const asked = await page.evaluateHandle(() => {
    const pauses: boolean[] = [];
    const channel = RTCDataChannel.prototype;
    const send = channel.send as (this: RTCDataChannel, message: string) => void;
    channel.send = function (this: RTCDataChannel, message: string) {
      const { type, data } = JSON.parse(message) as { type: string; data: { video: boolean } };
      if (type === "pause") pauses.push(data.video);
      send.call(this, message);
    } as typeof channel.send;
    document.querySelector("visavis-avatar")!.removeAttribute("open");
    return pauses;
  });
  await expect.poll(() => asked.jsonValue()).toEqual([true]);
  const atOnce = await asked.evaluate((pauses) => {
    document.querySelector("visavis-avatar")!.setAttribute("open", "");
    return [...pauses];
  });
  expect(atOnce).toEqual([true, false]);
  await untilMore(page, "video");
  expect(await asked.jsonValue()).toEqual([true, false]);
  await untilState(page, "live");
});
