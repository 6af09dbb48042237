import { existsSync, readFileSync, writeFileSync } from "node:fs";

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

export function writeResults(path: string, results: readonly TestResult[]): void {
  writeFileSync(path, JSON.stringify(results));
}

/** The results of a runner; none where it has not come so far. */
export function readResults(path: string): TestResult[] {
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as TestResult[]) : [];
}
