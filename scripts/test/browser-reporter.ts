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

const attached = ({ attachments }: Ran, wanted: string): string =>
  attachments.find(({ name }) => name === wanted)?.body?.toString() ?? "";

/** What the page's avatars did when the test failed, and the last warnings and errors of the servers. */
function circumstances(ran: Ran): string[] {
  const avatars = attached(ran, "avatars");
  return [
    ...(avatars ? [`avatars:\n${lines(avatars, 20)}`] : []),
    ...serverFaults(attached(ran, "server log")),
  ];
}

function serverFaults(log: string): string[] {
  const faults = log.split("\n").filter((line) => /"level":"(?:warn|error)"/.test(line));
  return faults.length > 0 ? [`server log:\n${lines(faults.slice(-12).join("\n"), 12)}`] : [];
}

/** Reports the browser tests: progress, failures as they come, and all results in a file of `test-results/`. */
export default class BrowserReporter implements Reporter {
  readonly #name: string;
  readonly #results: TestResult[] = [];
  #progress = new Progress(1);
  #root = "";

  constructor({ name }: { name: string }) {
    this.#name = name;
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
      errors: [
        ...ran.errors.map(({ message, snippet }) => lines([message, snippet].filter(Boolean).join("\n"), 40)),
        ...circumstances(ran),
      ],
      reason: ran.annotations.find(({ type }) => type === "skip")?.description,
      attachments: ran.attachments.flatMap(({ name, path }) =>
        helpful.includes(name) && path !== undefined ? [{ name, path: relative(this.#root, path) }] : [],
      ),
    };
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
    writeResults(this.#name, this.#results);
  }

  printsToStdio(): boolean {
    return true;
  }
}
