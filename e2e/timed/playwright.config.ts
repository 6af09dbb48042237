import { defineConfig } from "@playwright/test";
import common from "../playwright.config.ts";

/**
 * Timing-sensitive tests: a late frame makes a smooth motion look like a jump, and speech is recognized while it is spoken. They run one after
 * the other, and only static checks run beside them.
 */
export default defineConfig({
  ...common,
  testDir: ".",
  testIgnore: [],
  globalSetup: "../support/warm-browser.ts",
  outputDir: "../../test-results/timed",
  workers: 1,
  projects: [{ name: "pages" }],
  reporter: [["../../scripts/test/browser-reporter.ts", { name: "timed" }]],
});
