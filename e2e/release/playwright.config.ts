import { defineConfig } from "@playwright/test";
import common from "../playwright.config.ts";

/** What takes long and depends on few files: `npm run test:release`. */
export default defineConfig({
  ...common,
  testDir: ".",
  testIgnore: [],
  globalSetup: "../support/warm-browser.ts",
  outputDir: "../../test-results/release",
  workers: 2,
  projects: [{ name: "pages" }],
  reporter: [["../../scripts/test/browser-reporter.ts", { name: "release" }]],
});
