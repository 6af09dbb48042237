import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What became of one test, as both reporters write it down. */
export interface TestResult {
  /** The file, from the project's root. */
  file: string;
  title: string;
  status: "passed" | "failed" | "skipped";
  durationMs: number;
  /** Why it failed. */
  errors: string[];
  /** What is missing where it was skipped. */
  reason?: string | undefined;
  /** Files about the failure: the page's screenshot, the trace. */
  attachments?: { name: string; path: string }[];
}

const reportFolder = "test-results";

const pathOf = (name: string): string => join(reportFolder, `${name}.json`);

/** Writes the results of a runner, by the runner's name. */
export function writeResults(name: string, results: readonly TestResult[]): void {
  mkdirSync(reportFolder, { recursive: true });
  writeFileSync(pathOf(name), JSON.stringify(results));
}

/** The results of a runner; none where it has not come so far. */
export function readResults(name: string): TestResult[] {
  const path = pathOf(name);
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as TestResult[]) : [];
}

/** What an earlier run left is not this one's. */
export function removeResults(name: string): void {
  rmSync(pathOf(name), { force: true });
}

export const hasFailed = (results: readonly TestResult[]): boolean =>
  results.some(({ status }) => status === "failed");
