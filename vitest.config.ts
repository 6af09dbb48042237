import { defineConfig } from "vitest/config";

/** Tests with media processes or several servers. Each already uses more than one core, so they run one file at a time. */
const heavy = ["test/service/{media,processes}/**/*.test.ts"];

export default defineConfig({
  test: {
    setupFiles: ["test/console-guard.ts"],
    pool: "forks",
    // Set by .ci/run only: see CONTRIBUTING.md.
    retry: Number(process.env["TEST_RETRIES"] ?? 0),
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // The default of 1 s fails on a busy machine.
    expect: { poll: { timeout: 15_000 } },
    projects: [
      {
        extends: true,
        // The default is one worker fewer than cores. Most of these tests wait for servers, so two share a core well.
        test: { name: "unit", include: ["test/**/*.test.ts"], exclude: heavy, maxWorkers: 2 },
      },
      { extends: true, test: { name: "heavy", include: heavy, maxWorkers: 1 } },
    ],
  },
});
