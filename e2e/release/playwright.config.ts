import { defineConfig } from "@playwright/test";
import common from "../playwright.config.ts";

/** What takes long and depends on few files: `npm run test:release`. */
export default defineConfig({
  ...common,
  testDir: ".",
  testIgnore: [],
  globalSetup: "../support/global-setup.ts",
  outputDir: "../../test-results/release",
  workers: 2,
  projects: [{ name: "pages" }],
  // Models that make a face take minutes on a busy machine.
  timeout: 360_000,
  expect: { timeout: 120_000 },
  use: { ...common.use, viewport: { width: 1280, height: 800 }, contextOptions: {} },
  reporter: "../../scripts/test/browser-reporter.ts",
});
