import { expect, test, type Browser } from "@playwright/test";
import { resample } from "../../src/service/audio/resampler.ts";
import { toneOf } from "../../test/service/speech/engines/sherpa/tiny-models.ts";
import { browserWithMicrophone, microphoneOf, soundFile, type Heard } from "../support/fake-microphone.ts";
import { hostPage, startHostSite, type HostSite } from "../support/host-page.ts";
import { recordEvents, seenEvents } from "../support/page-records.ts";
import { changeContext } from "../support/service-api.ts";
import { startServer, type Server } from "../support/stack.ts";
import { openAvatar, panelText, transcript } from "../support/talk.ts";
import {
  addToneRecognizer,
  hearTones,
  lacksSherpa,
  sherpaEnvironment,
  sherpaHint,
} from "../support/tone-recognizer.ts";
import { avatar, snippet } from "../support/widget.ts";

// Words must be recognized as fast as they are spoken.
test.describe.configure({ lock: "-exclusive-" });

test.skip(lacksSherpa, sherpaHint);

let server: Server;
let site: HostSite;
let browser: Browser;

test.beforeAll(async () => {
  server = await startServer("start", sherpaEnvironment);
  await addToneRecognizer(server, { name: "tones", locale: "en", streaming: true });
  await changeContext(server, "ctx_demo", ({ embed_config }) => {
    embed_config["stt_type"] = "tones";
  });
  site = await startHostSite({ "/": hostPage(snippet(server.origin)) }, { relayOrigin: server.origin });
});

test.afterAll(async () => {
  await site.close();
  await server.stop();
});

test.afterEach(() => browser.close());

/** A word of the model, as a microphone hears it. */
const tone =
  (word: string): Heard =>
  (rateHz) =>
    resample(toneOf(word), 8_000, rateHz);

test("what a streaming model understands is shown while the visitor still speaks", async () => {
  const file = await soundFile({ pauseMs: 2_500 }, tone("two"), { pauseMs: 1_500 }, tone("four"), {
    pauseMs: 60_000,
  });
  browser = await browserWithMicrophone(test.info(), file);
  const page = await browser.newPage();
  await hearTones(page);
  await recordEvents(page);
  await openAvatar(page, `${site.origin}/?visavis-debug`);
  await avatar(page).locator(".vv-mic").hover();
  await page.mouse.down();
  await expect.poll(() => microphoneOf(page)).toBe("on");
  await expect.poll(() => panelText(page), { timeout: 30_000 }).toMatch(/\btwo\b/);
  await expect.poll(() => panelText(page), { timeout: 30_000 }).toMatch(/\btwo( two)* four\b/);
  // Nothing is final while the button is held.
  const partial = (await seenEvents(page)).filter(({ type }) => type === "visavis-transcript");
  expect(partial.length).toBeGreaterThan(0);
  expect(partial.every(({ detail }) => detail["final"] === false)).toBe(true);
  await page.mouse.up();
  await expect
    .poll(async () => (await transcript(page)).find((line) => line.startsWith("visitor:")), {
      timeout: 20_000,
    })
    .toMatch(/two( two)* four/);
});
