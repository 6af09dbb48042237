import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type {
  Reporter,
  TestCase,
  TestModule,
  TestRunEndReason,
  TestSpecification,
  TestSuite,
  Vitest,
} from "vitest/node";
import { Progress } from "./progress.ts";
import { report, type TestResult } from "./results.ts";

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

/** An error that no test waited for. Vitest says which file ran then. */
interface Unhandled {
  message: string;
  stack?: string;
  VITEST_TEST_PATH?: string;
}

const failure = (file: string, title: string, error: Unhandled): TestResult => ({
  file,
  title,
  status: "failed",
  durationMs: 0,
  errors: [errorText(error)],
});

/** Reports the unit tests: progress by files, and a report for `npm test`. */
export default class UnitReporter implements Reporter {
  #root = "";
  #progress = new Progress(1);

  onInit(vitest: Vitest): void {
    this.#root = vitest.config.root;
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#progress = new Progress(specifications.length);
  }

  onTestModuleStart(module: TestModule): void {
    report({ begun: relative(this.#root, module.moduleId) });
  }

  onTestModuleEnd(module: TestModule): void {
    const file = relative(this.#root, module.moduleId);
    for (const error of module.errors()) this.#addError(file, "(loading)", error);
    for (const suite of module.children.allSuites())
      for (const error of suite.errors()) this.#addError(file, suite.fullName, error);
    for (const test of module.children.allTests()) this.#addTest(file, test);
    report({ done: file });
    this.#progress.advance(file);
  }

  onTestRunEnd(
    _modules: readonly TestModule[],
    unhandled: readonly Unhandled[],
    reason: TestRunEndReason,
  ): void {
    for (const error of unhandled) {
      const path = error.VITEST_TEST_PATH;
      const title = "(unhandled error)";
      if (path === undefined) this.#add(failure("unit tests", title, error));
      else this.#addError(relative(this.#root, path), title, error);
    }
    if (reason !== "interrupted") report({ isComplete: true });
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
      again: [file],
    });
  }

  #addError(file: string, title: string, error: Unhandled): void {
    this.#add({ ...failure(file, title, error), again: [file] });
  }

  #add(result: TestResult): void {
    report({ result });
    if (result.status === "failed") this.#progress.fail(result);
  }
}
