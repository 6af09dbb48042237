import { defineConfig } from "@playwright/test";
import { systemChromium } from "./support/system-chromium.ts";

/** Tests without live video: commands, packages, the console, and pages that start no session. */
const withoutVideo = [
  "api-page.spec.ts",
  "check.spec.ts",
  "console/*.spec.ts",
  "console-lines.spec.ts",
  "deploy/image.spec.ts",
  "dev-server.spec.ts",
  "drawing/photo-pictures.spec.ts",
  "package/server.spec.ts",
  "viewer.spec.ts",
];

/** Tests with live video that mostly wait, for a time limit, a heartbeat or a restarted server, and measure neither picture nor sound. */
const waiting = [
  "conversation/day-limit.spec.ts",
  "conversation/failed-answers.spec.ts",
  "conversation/offline.spec.ts",
  "conversation/page-loads.spec.ts",
  "conversation/page-tools.spec.ts",
  "conversation/retention.spec.ts",
  "faults/endings.spec.ts",
  "faults/page-end.spec.ts",
  "faults/refusals.spec.ts",
  "faults/restarts.spec.ts",
  "faults/storms.spec.ts",
];

/** Tests of what the avatar looks like and says. They run a second time with an avatar that the browser draws. */
const drawn = [
  "background.spec.ts",
  "compact.spec.ts",
  "conversation.spec.ts",
  "inline.spec.ts",
  "minimised.spec.ts",
  "paddings.spec.ts",
];

export default defineConfig({
  testDir: ".",
  testMatch: "**/*.spec.ts",
  globalSetup: "./support/warm-browser.ts",
  outputDir: "../test-results/browser",
  workers: 2,
  projects: [
    // A worker takes the first file below whose project may run: one runs the media tests, one at a time, and the other one all the
    // rest. Files whose result depends on the time of frames and sounds have the lock "-exclusive-": they run at the end, alone.
    { name: "media", testIgnore: [...withoutVideo, ...waiting, "gallery.spec.ts"], workers: 1 },
    { name: "pages", testMatch: withoutVideo },
    { name: "gallery", testMatch: "gallery.spec.ts", fullyParallel: true },
    // Two of these may run at the same time, so that both workers end at about the same time.
    { name: "waiting", testMatch: waiting },
    // One at a time: a browser without a GPU is busy with drawing.
    { name: "drawn", testMatch: drawn, workers: 1 },
  ],
  retries: Number(process.env["TEST_RETRIES"] ?? 0),
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: [["list"], ["json", { outputFile: "../test-results/browser.json" }]],
  use: {
    browserName: "chromium",
    viewport: { width: 1280, height: 800 },
    trace: "off",
    launchOptions: {
      ...(systemChromium && { executablePath: systemChromium }),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        // Chromium offers to download a recognizer also where it has none to offer. Tests that speak choose the service's.
        "--disable-blink-features=OnDeviceWebSpeech,OnDeviceWebSpeechAvailable",
        "--use-fake-ui-for-media-stream",
        "--use-fake-device-for-media-stream",
      ],
    },
  },
});
