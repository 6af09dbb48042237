import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

const systemChromium = [process.env["CHROMIUM_PATH"], "/usr/bin/chromium", "/usr/bin/chromium-browser"].find(
  (path) => path !== undefined && existsSync(path),
);

export default defineConfig({
  testDir: ".",
  testMatch: "**/*.spec.ts",
  outputDir: "../test-results/browser",
  // Two browsers, two media processes and a video encoder share the machine: one worker keeps the tests honest.
  workers: 1,
  fullyParallel: false,
  retries: 0,
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
        "--use-fake-ui-for-media-stream",
        "--use-fake-device-for-media-stream",
      ],
    },
  },
});
