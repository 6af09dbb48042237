import { defineConfig } from "@playwright/test";
import common from "../playwright.config.ts";

/** Tests in which speech is recognized while it is spoken. They run one after the other, with nothing beside them. */
export default defineConfig({
  ...common,
  testDir: ".",
  testIgnore: [],
  globalSetup: "../support/global-setup.ts",
  outputDir: "../../test-results/timed",
  workers: 1,
  projects: [{ name: "pages" }],
  reporter: "../../scripts/test/browser-reporter.ts",
});
