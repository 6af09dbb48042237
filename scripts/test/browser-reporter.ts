import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type {
  FullConfig,
  FullResult,
  Reporter,
  Suite,
  TestCase,
  TestError,
  TestResult as Ran,
} from "@playwright/test/reporter";
import { Progress } from "./progress.ts";
import { writeResults, type TestResult } from "./results.ts";

/** Attachments that help with a failure. Tests attach others, such as the pictures of the gallery. */
const helpful = ["screenshot", "trace"];

const lines = (text: string, most: number): string =>
  stripVTControlCharacters(text).split("\n").slice(0, most).join("\n");

/** Reports the browser tests: progress, failures as they come, and all results in a file of `test-results/`. */
export default class BrowserReporter implements Reporter {
  readonly #path: string;
  readonly #results: TestResult[] = [];
  #progress = new Progress(1);
  #root = "";

  constructor({ name }: { name: string }) {
    this.#path = `test-results/${name}.json`;
  }

  onBegin(_config: FullConfig, suite: Suite): void {
    this.#root = process.cwd();
    this.#progress = new Progress(suite.allTests().length);
  }

  onTestEnd(test: TestCase, ran: Ran): void {
    const [, project, , ...titles] = test.titlePath();
    const result: TestResult = {
      file: relative(this.#root, test.location.file),
      title: `${titles.join(" › ")}${project === "pages" ? "" : ` (${project ?? ""})`}`,
      status: ran.status === "skipped" ? "skipped" : test.ok() ? "passed" : "failed",
      durationMs: ran.duration,
      errors: ran.errors.map(({ message, snippet }) =>
        lines([message, snippet].filter(Boolean).join("\n"), 40),
      ),
      reason: ran.annotations.find(({ type }) => type === "skip")?.description,
      attachments: ran.attachments.flatMap(({ name, path }) =>
        helpful.includes(name) && path !== undefined ? [{ name, path: relative(this.#root, path) }] : [],
      ),
    };
    if (result.status === "failed" && ran.retry < test.retries) {
      process.stdout.write(`  tried again, find the cause: ${result.file} › ${result.title}\n`);
      return;
    }
    this.#results.push(result);
    if (result.status === "failed") this.#progress.fail(result);
    this.#progress.advance(result.file);
  }

  onError({ message = "", stack = "" }: TestError): void {
    const errors = [lines(stack || message, 40)];
    this.#results.push({
      file: "browser tests",
      title: "(outside of a test)",
      status: "failed",
      durationMs: 0,
      errors,
    });
  }

  onEnd(_result: FullResult): void {
    writeResults(this.#path, this.#results);
  }

  printsToStdio(): boolean {
    return true;
  }
}
