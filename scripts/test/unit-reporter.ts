import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { Reporter, TestCase, TestModule, TestSpecification, TestSuite, Vitest } from "vitest/node";
import { Progress } from "./progress.ts";
import { writeResults, type TestResult } from "./results.ts";

/** Lines of an error's stack that are shown. */
const stackLines = 4;

/** What a suite or test needs, from its title: `in Postgres [needs PostgreSQL]`. */
function missingOf(entry: TestCase | TestSuite | TestModule): string | undefined {
  if (entry.type === "module") return undefined;
  return /\[needs (.+?)\]/.exec(entry.name)?.[1] ?? missingOf(entry.parent);
}

const errorText = (error: { message: string; diff?: string; stack?: string }): string =>
  stripVTControlCharacters(
    [error.message, error.diff ?? "", ...(error.stack ?? "").split("\n").slice(1, 1 + stackLines)]
      .filter((text) => text !== "")
      .join("\n"),
  );

/** Reports the unit tests: progress by files, and all results in `test-results/unit.json`. */
export default class UnitReporter implements Reporter {
  readonly #results: TestResult[] = [];
  #root = "";
  #progress = new Progress(1);

  onInit(vitest: Vitest): void {
    this.#root = vitest.config.root;
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#progress = new Progress(specifications.length);
  }

  onTestModuleEnd(module: TestModule): void {
    const file = relative(this.#root, module.moduleId);
    for (const error of module.errors())
      this.#add({ file, title: "(loading)", status: "failed", durationMs: 0, errors: [errorText(error)] });
    for (const suite of module.children.allSuites())
      for (const error of suite.errors())
        this.#add({
          file,
          title: suite.fullName,
          status: "failed",
          durationMs: 0,
          errors: [errorText(error)],
        });
    for (const test of module.children.allTests()) this.#addTest(file, test);
    this.#progress.advance(file);
  }

  onTestRunEnd(
    _modules: readonly TestModule[],
    unhandled: readonly { message: string; stack?: string }[],
  ): void {
    for (const error of unhandled)
      this.#add({
        file: "unit tests",
        title: "(unhandled error)",
        status: "failed",
        durationMs: 0,
        errors: [errorText(error)],
      });
    writeResults("unit", this.#results);
  }

  #addTest(file: string, test: TestCase): void {
    const { state, errors = [] } = test.result();
    const note = "note" in test.result() ? (test.result() as { note?: string }).note : undefined;
    this.#add({
      file,
      title: test.fullName,
      status: state === "passed" || state === "failed" ? state : "skipped",
      durationMs: test.diagnostic()?.duration ?? 0,
      errors: errors.map(errorText),
      reason: note ?? missingOf(test),
    });
  }

  #add(result: TestResult): void {
    this.#results.push(result);
    if (result.status === "failed") this.#progress.fail(result);
  }
}
