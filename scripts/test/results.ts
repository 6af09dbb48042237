import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";

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
  /** Files about the failure: the page's screenshot. */
  attachments?: { name: string; path: string }[];
  /** Arguments with which its runner runs it again by itself. Without them it is no test that can be run again. */
  again?: readonly string[];
}

/** A line of the file that a reporter writes while its tests run. So what is known stays known when a runner dies or is ended. */
type Line = { begun: string } | { done: string } | { result: TestResult } | { isComplete: true };

/** What a runner has said so far. */
export interface Report {
  results: TestResult[];
  /** The tests, or files, that have begun and not ended. */
  running: string[];
  /** Whether all tests have ended. */
  isComplete: boolean;
}

/** The environment variable with the file that a reporter writes. Without it there is no file. */
export const reportVariable = "TEST_REPORT";

/** Begins a report where an earlier run may have left one. */
export function beginReport(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { force: true });
}

/** Writes lines of the report that this process was asked for. */
export function report(line: Line): void {
  const path = process.env[reportVariable];
  if (path !== undefined) appendFileSync(path, `${JSON.stringify(line)}\n`);
}

/** Reads a report; it is empty where its runner has not come so far. */
export function readReport(path: string): Report {
  const running = new Set<string>();
  const results: TestResult[] = [];
  let isComplete = false;
  const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
  // A runner that was killed may have left half a line.
  for (const text of lines.slice(0, -1)) {
    const line = JSON.parse(text) as Line;
    if ("begun" in line) running.add(line.begun);
    else if ("done" in line) running.delete(line.done);
    else if ("result" in line) results.push(line.result);
    else isComplete = true;
  }
  return { results, running: [...running], isComplete };
}
