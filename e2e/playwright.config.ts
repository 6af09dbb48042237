import { defineConfig } from "@playwright/test";
import { patience } from "./support/patience.ts";
import { systemChromium } from "./support/system-chromium.ts";

/** The test of a whole conversation runs a second time with an avatar that the browser draws. */
const drawn = ["conversation.spec.ts"];

/** Tests of the console, in a window of a desktop. */
const owners = ["console/**/*.spec.ts", "live/**/*.spec.ts"];

/** They have a configuration of their own. */
const release = `${import.meta.dirname}/release/**`;

export default defineConfig({
  testDir: ".",
  testMatch: "**/*.spec.ts",
  testIgnore: release,
  globalSetup: "./support/global-setup.ts",
  outputDir: "../test-results/browser",
  workers: 2,
  projects: [
    { name: "pages", testIgnore: [release, ...owners] },
    { name: "console", testMatch: owners, use: { viewport: { width: 1280, height: 800 } } },
    { name: "drawn", testMatch: drawn },
  ],
  // Long enough for a busy machine. A timeout only ends a test that hangs; it does not say what is fast enough.
  timeout: 2 * patience,
  expect: { timeout: patience },
  reporter: "../scripts/test/browser-reporter.ts",
  use: {
    browserName: "chromium",
    // The picture of an avatar is as large as its stage: a small window and no motion are a third of the processor's time.
    viewport: { width: 960, height: 640 },
    contextOptions: { reducedMotion: "reduce" },
    screenshot: "only-on-failure",
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
