import { defineConfig } from "vitest/config";

/** The tests of the pure cores, for mutation tests: only those that are fast. */
export default defineConfig({
  test: {
    setupFiles: ["test/console-guard.ts"],
    include: [
      "test/client/session-phase.test.ts",
      "test/client/voice/{ask-early,button-turn,endpointing,hands-free,quiet-avatar,silence-watch,speech-frames}.test.ts",
      "test/markdown/*.test.ts",
      "test/origins/*.test.ts",
      "test/protocol/element-contract-docs.test.ts",
      "test/relay/{limits/{body-budget,memory-counter},sessions/{admission,place-rules}}.test.ts",
      "test/service/administration/contexts/*.test.ts",
      "test/service/http/operations/{list-operation,operation,operation-body,validation}.test.ts",
      "test/service/knowledge/**/*.test.ts",
      "test/service/normalization/*.test.ts",
      "test/service/sessions/life/session-machine.test.ts",
      "test/widget/rich/link-policy.test.ts",
    ],
    // One worker for all: Stryker starts them again for each mutant.
    isolate: false,
    pool: "threads",
  },
});
