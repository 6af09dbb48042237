/** The same conversation in browsers other than Chromium, as the system has them. */
import { withPicture } from "../support/widget.ts";
import { expect, test } from "../support/test.ts";
import { useSite } from "../support/served-site.ts";
import { firefoxPath, startFirefox } from "./firefox.ts";
import { click, enter, inWidget, type OtherBrowser } from "./other-browser.ts";
import { hasWebKit, startWebKit } from "./webkit.ts";

// A browser without a GPU shows still pictures when other work takes its time.
test.describe.configure({ lock: "-exclusive-" });

const served = useSite({ attributes: withPicture });

const launcher = "[part~=launcher-button]";
const question = "How much is the Alder reading chair?";
const answer = /^avatar: .*480 euros.* \(final\)$/;

const lastLine = (browser: OtherBrowser): Promise<unknown> =>
  browser.evaluate(
    inWidget(".transcript.map(({ role, text, status }) => `${role}: ${text} (${status})`).at(-1)"),
  );
const stateOf = (browser: OtherBrowser): Promise<unknown> => browser.evaluate(inWidget("?.state"));

async function open(browser: OtherBrowser): Promise<void> {
  await browser.goto(served.site.origin);
  await expect.poll(() => click(browser, launcher)).toBe(true);
  await expect.poll(() => stateOf(browser)).toBe("live");
}

async function askInWriting(browser: OtherBrowser): Promise<void> {
  await expect.poll(() => click(browser, "textarea")).toBe(true);
  await browser.type(question + enter);
  await expect.poll(() => lastLine(browser)).toMatch(answer);
}

/** How many different colours the received picture has, in a small copy of it. */
const colours = (browser: OtherBrowser): Promise<unknown> =>
  browser.evaluate(`(() => {
    const video = document.querySelector("visavis-avatar").shadowRoot.querySelector("video");
    if (!video?.videoWidth) return 0;
    const copy = new OffscreenCanvas(32, 32).getContext("2d");
    copy.drawImage(video, 0, 0, 32, 32);
    return new Set(new Uint32Array(copy.getImageData(0, 0, 32, 32).data.buffer)).size;
  })()`);

/** Whether the element that plays the avatar plays sound now. */
const isSounding = `(() => {
  const video = document.querySelector("visavis-avatar").shadowRoot.querySelector("video");
  return !video.paused && !video.muted && video.currentTime > 0;
})()`;

/** How many different pictures the stage shows in so many frames of the page. */
const picturesOf = (frames: number): string => `(async () => {
  const canvas = document.querySelector("visavis-avatar").shadowRoot.querySelector(".vv-stage canvas");
  const seen = new Set();
  for (let frame = 0; frame < ${frames}; frame++) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    seen.add(canvas.toDataURL());
  }
  return seen.size;
})()`;

test("a conversation in Firefox has picture, captions, a written question and an end", async () => {
  test.skip(!firefoxPath, "Firefox is not installed.");
  const firefox = await startFirefox();
  try {
    await open(firefox);
    await expect.poll(() => colours(firefox)).toBeGreaterThan(50);
    await firefox.evaluate(`(() => {
      globalThis.captions = [];
      document.addEventListener("visavis-caption", ({ detail }) => captions.push(detail.word));
    })()`);
    await expect.poll(() => click(firefox, ".vv-btn.main")).toBe(true);
    await askInWriting(firefox);
    await expect.poll(() => firefox.evaluate("captions.join(' ')")).toContain("480");
    await firefox.evaluate(inWidget(".end()"));
    expect(await stateOf(firefox)).toBe("ended");
  } finally {
    await firefox.close();
  }
});

test("in WebKit without WebRTC the avatar is drawn and speaks, with captions, a written question and an end", async () => {
  test.skip(!hasWebKit, "WebKitWebDriver, MiniBrowser or Xvfb is not installed.");
  const webkit = await startWebKit();
  try {
    await webkit.goto(served.site.origin);
    test.skip((await webkit.evaluate("typeof RTCPeerConnection")) === "function", "This WebKit has WebRTC.");
    await open(webkit);
    const drawn = (): Promise<unknown> => webkit.evaluate(inWidget(".dataset.drawn"));
    await expect.poll(drawn).toBe("local");
    await webkit.evaluate(`(() => {
      globalThis.captions = [];
      document.addEventListener("visavis-caption", ({ detail }) => captions.push(detail.word));
    })()`);
    await expect.poll(() => click(webkit, ".vv-btn.main")).toBe(true);
    await askInWriting(webkit);
    await expect.poll(() => webkit.evaluate(isSounding)).toBe(true);
    // A busy machine draws few frames, so it may take several looks.
    await expect.poll(() => webkit.evaluate(picturesOf(30))).toBeGreaterThan(1);
    await expect.poll(() => webkit.evaluate("captions.join(' ')")).toContain("480");
    await webkit.evaluate(inWidget(".end()"));
    expect(await stateOf(webkit)).toBe("ended");
  } finally {
    await webkit.close();
  }
});
