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
import { report, type TestResult } from "./results.ts";

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

/** A pattern of `--grep` for a test. Others whose titles begin alike match it too. */
const grep = (test: TestCase): string =>
  test
    .titlePath()
    .slice(3)
    .join(" ")
    .replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");

/** Reports the browser tests: progress, failures as they come, and a report for `npm test`. */
export default class BrowserReporter implements Reporter {
  #progress = new Progress(1);
  #root = "";

  onBegin(_config: FullConfig, suite: Suite): void {
    this.#root = process.cwd();
    this.#progress = new Progress(suite.allTests().length);
  }

  onTestBegin(test: TestCase): void {
    report({ begun: this.#nameOf(test) });
  }

  onTestEnd(test: TestCase, ran: Ran): void {
    const [, project = "", , ...titles] = test.titlePath();
    const result: TestResult = {
      file: relative(this.#root, test.location.file),
      title: `${titles.join(" › ")}${project === "drawn" ? " (drawn)" : ""}`,
      status: ran.status === "skipped" ? "skipped" : test.ok() ? "passed" : "failed",
      durationMs: ran.duration,
      errors: [
        ...ran.errors.map(({ message, snippet }) => lines([message, snippet].filter(Boolean).join("\n"), 40)),
        ...circumstances(ran),
      ],
      reason: ran.annotations.find(({ type }) => type === "skip")?.description,
      // Tests attach others, such as the pictures of the gallery.
      attachments: ran.attachments.flatMap(({ name, path }) =>
        name === "screenshot" && path !== undefined ? [{ name, path: relative(this.#root, path) }] : [],
      ),
      again: [test.location.file, ...(project ? ["--project", project] : []), "--grep", grep(test)],
    };
    report({ done: this.#nameOf(test) });
    report({ result });
    if (result.status === "failed") this.#progress.fail(result);
    this.#progress.advance(result.file);
  }

  onError({ message = "", stack = "" }: TestError): void {
    const result: TestResult = {
      file: "browser tests",
      title: "(outside of a test)",
      status: "failed",
      durationMs: 0,
      errors: [lines(stack || message, 40)],
    };
    report({ result });
    this.#progress.fail(result);
  }

  onEnd({ status }: FullResult): void {
    if (status === "passed" || status === "failed") report({ isComplete: true });
  }

  #nameOf(test: TestCase): string {
    return `${relative(this.#root, test.location.file)} › ${test.titlePath().slice(3).join(" › ")}`;
  }

  printsToStdio(): boolean {
    return true;
  }
}
