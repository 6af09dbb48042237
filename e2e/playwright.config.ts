import { defineConfig } from "@playwright/test";
import { patience } from "./support/patience.ts";
import { systemChromium } from "./support/system-chromium.ts";

/** Tests of what the avatar looks like and says. They run a second time with an avatar that the browser draws. */
const drawn = ["background.spec.ts", "conversation.spec.ts", "paddings.spec.ts"];

export default defineConfig({
  testDir: ".",
  testMatch: "**/*.spec.ts",
  // They have a configuration of their own.
  testIgnore: ["release/**", "timed/**"],
  globalSetup: "./support/warm-browser.ts",
  outputDir: "../test-results/browser",
  workers: 4,
  projects: [{ name: "pages" }, { name: "drawn", testMatch: drawn }],
  // Long enough for a busy machine. A timeout only ends a test that hangs; it does not say what is fast enough.
  timeout: 2 * patience,
  expect: { timeout: patience },
  reporter: [["../scripts/test/browser-reporter.ts", { name: "browser" }]],
  use: {
    browserName: "chromium",
    viewport: { width: 1280, height: 800 },
    screenshot: "only-on-failure",
    // Without snapshots of the page, which take a good part of the processor's time.
    trace: { mode: "retain-on-failure", screenshots: false, snapshots: false, sources: false },
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
