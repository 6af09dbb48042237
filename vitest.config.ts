import { defineConfig } from "vitest/config";
import { patienceMs } from "./test/patience.ts";

/** What takes long or much memory: `npm run test:release`. */
const release = [
  "administration/knowledge/huge-files",
  "http/first-recognition",
  "processes/several-processes",
  "processes/slow-clients",
].map((name) => `test/service/${name}.test.ts`);

/** They compile, or read all of the source, and compare with files in the repository: `npm run check`. */
const generated = ["architecture-picture", "build-webassembly", "framework-types", "operation-docs"].map(
  (name) => `test/scripts/${name}.test.ts`,
);

/** Tests that define the widget's element. A window can do that once, so each of these files has a window of its own. */
const elements = [
  "test/widget/{owner-settings,told-visitors,visavis-avatar}.test.ts",
  "test/widget/settings/settings.test.ts",
  "test/widget/texts/languages.test.ts",
  "test/widget/voice/microphone.test.ts",
];

/** Pages of the console in a window without a browser, on a service that runs in the same process. */
const consolePages = ["test/console/**/*-{page,section,views}.test.ts"];

export default defineConfig({
  test: {
    globalSetup: "test/run-folders.ts",
    setupFiles: [
      "test/console-guard.ts",
      "test/kept-globals.ts",
      "test/patient-waits.ts",
      "test/use-run-folders.ts",
    ],
    pool: "forks",
    // Many files share a process, since loading the modules takes longer than most tests. So a test has to leave nothing behind.
    isolate: false,
    // All limits only end what hangs.
    testTimeout: 2 * patienceMs,
    hookTimeout: 2 * patienceMs,
    // The default of 1 s fails on a busy machine.
    expect: { poll: { timeout: patienceMs } },
    projects: [
      {
        extends: true,
        // Most of these tests wait now and then for servers, sound, pictures or the disk, so three fill two cores. Those that took
        // longest in the run before come first.
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: [...elements, ...consolePages, ...generated, ...release],
          maxWorkers: 3,
        },
      },
      { extends: true, test: { name: "elements", include: elements, isolate: true, maxWorkers: 3 } },
      {
        extends: true,
        test: {
          name: "console",
          include: consolePages,
          environment: "./test/console/window-environment.ts",
          maxWorkers: 3,
        },
      },
      { extends: true, test: { name: "generated", include: generated, maxWorkers: 1 } },
      {
        extends: true,
        test: {
          name: "release",
          include: [
            ...release,
            "test/puppet/renderer.test.ts",
            "test/service/http/operations/every-operation.test.ts",
            "test/service/media/offer-fuzz.test.ts",
            "test/service/media/pictures/packed-drawing.test.ts",
          ],
          // More than ten times as many odd offers and requests as `npm test` makes, and every character at length.
          env: { ALL_CHARACTERS: "yes", OFFER_FUZZ_COUNT: "10000", OPERATION_RUNS: "200" },
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
