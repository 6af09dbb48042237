/** The pure cores, by area. `MUTANTS=<area>` chooses one of them. */
const areas = {
  sessions: ["src/service/sessions/life/session-machine.ts", "src/client/session-phase.ts"],
  turns: ["src/client/voice/turns/*.ts", "src/client/voice/activity/{noise-gate,speech-frames}.ts"],
  // Tables of sentences are data without logic; tests of them would be a copy.
  answers: [
    "src/service/knowledge/{answering,matching,reading,words}/*.ts",
    "!src/service/knowledge/answering/{fixed-sentences,small-talk}.ts",
  ],
  operations: ["src/service/http/operations/*.ts"],
  limits: ["src/relay/{limits/{body-budget,memory-counter},sessions/{admission,live-places}}.ts"],
  origins: ["src/origins/*.ts", "src/service/administration/contexts/origin-check.ts"],
  links: ["src/widget/rich/link-policy.ts"],
  markdown: ["src/markdown/*.ts"],
  contract: ["src/protocol/page/element-contract.ts"],
  normalization: ["src/service/normalization/*.ts"],
};

const area = process.env.MUTANTS;
if (area && !Object.hasOwn(areas, area)) throw new Error(`Areas: ${Object.keys(areas).join(", ")}`);

export default {
  plugins: ["@stryker-mutator/vitest-runner", import.meta.dirname + "/stryker-texts.mjs"],
  ignorers: ["texts"],
  testRunner: "vitest",
  vitest: { configFile: "config/vitest.mutants.config.ts" },
  mutate: area ? areas[area] : Object.values(areas).flat(),
  ignorePatterns: ["/*", "!/config", "!/docs", "!/scripts", "!/src", "!/test", "!/tsconfig.json"],
  tempDirName: "test-results/mutants/sandbox",
  incrementalFile: "test-results/mutants/incremental.json",
  reporters: ["progress", "clear-text", "html", "json"],
  clearTextReporter: { logTests: false, reportTests: false, reportMutants: false },
  htmlReporter: { fileName: "test-results/mutants/report.html" },
  jsonReporter: { fileName: "test-results/mutants/report.json" },
  // A busy machine is slow; endless loops are found by counting.
  timeoutMS: 30_000,
  thresholds: { high: 95, low: 85, break: 85 },
};
