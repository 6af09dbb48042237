import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, type Browser } from "@playwright/test";
import { resample } from "../../src/service/audio/resampler.ts";
import { findSherpa } from "../../src/service/speech/engines/sherpa/find-sherpa.ts";
import {
  toneOf,
  writeStreamingToneRecognizer,
} from "../../test/service/speech/engines/sherpa/tiny-models.ts";
import { browserWithMicrophone, microphoneOf, soundFile, type Heard } from "../support/fake-microphone.ts";
import { hostPage, startHostSite, type HostSite } from "../support/host-page.ts";
import { recordEvents, seenEvents } from "../support/page-records.ts";
import { changeContext } from "../support/service-api.ts";
import { startServer, type Server } from "../support/stack.ts";
import { openAvatar, panelText, transcript } from "../support/talk.ts";
import { avatar, snippet } from "../support/widget.ts";

// Words must be recognized as fast as they are spoken.
test.describe.configure({ lock: "-exclusive-" });

test.skip(
  findSherpa(process.env["VISAVIS_SHERPA_PATH"]) === null,
  "sherpa-onnx is not installed: VISAVIS_SHERPA_PATH names its folder.",
);

let server: Server;
let site: HostSite;
let browser: Browser;

/** A streaming model of the tests, which hears words in tones. */
function addModel({ dataFolder }: Server): void {
  const config = writeStreamingToneRecognizer(mkdtempSync(join(tmpdir(), "visavis-tones-")));
  const entry = {
    name: "tones",
    service: "onpremise",
    engine: { type: "sherpa-onnx", streaming: true, locale: "en", config },
  };
  const { status, stderr } = spawnSync(
    process.execPath,
    ["dist/server/main.js", "stt-type", "put", "--no-try"],
    { input: JSON.stringify(entry), env: { ...process.env, VISAVIS_DATA: dataFolder }, encoding: "utf8" },
  );
  expect(status, stderr).toBe(0);
}

test.beforeAll(async () => {
  server = await startServer("start", {
    VISAVIS_SHERPA_PATH: process.env["VISAVIS_SHERPA_PATH"] ?? "",
  });
  addModel(server);
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
  // The tones of the test are noise to a browser that suppresses noise.
  await page.addInitScript(() => {
    const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    const raw = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };
    navigator.mediaDevices.getUserMedia = () => open({ audio: raw });
  });
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
