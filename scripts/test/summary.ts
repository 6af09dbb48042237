import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { noteSlow } from "./growth.ts";
import type { TestResult } from "./results.ts";
import type { Again, LeftOut } from "./run-again.ts";

const slowestShown = 20;

const nameOf = ({ file, title }: TestResult): string => `${file} › ${title}`;

const leftOutTexts: Record<LeftOut, string> = {
  many: "So many tests failed that none was run again.",
  late: "The time for running tests again was over before all had been.",
};

/** Everything that a run has found. */
export interface Found {
  results: readonly TestResult[];
  again: Again;
  /** What is wrong beside failed tests; each counts as a failure. */
  problems: readonly string[];
  /** Number of checks and builds that passed. */
  passedChecks: number;
}

function printFailures(failed: readonly TestResult[], { problems, again }: Found): void {
  if (failed.length + problems.length === 0) return;
  process.stdout.write("\nFailed\n");
  for (const problem of problems) process.stdout.write(`  ${problem}\n`);
  for (const test of failed) {
    process.stdout.write(`  ${nameOf(test)}\n`);
    for (const error of test.errors) process.stdout.write(`${error.replace(/^/gm, "    ")}\n`);
    for (const { name, path } of test.attachments ?? []) process.stdout.write(`    ${name}: ${path}\n`);
  }
  if (again.leftOut) process.stdout.write(`\n${leftOutTexts[again.leftOut]}\n`);
}

function printSlowest(results: readonly TestResult[]): void {
  const slowest = results.toSorted((a, b) => b.durationMs - a.durationMs).slice(0, slowestShown);
  if (slowest.length === 0) return;
  process.stdout.write("\nSlowest\n");
  for (const test of slowest)
    process.stdout.write(`  ${(test.durationMs / 1_000).toFixed(1).padStart(5)} s  ${nameOf(test)}\n`);
}

function printSkipped(skipped: readonly TestResult[]): void {
  const counts = new Map<string, number>();
  for (const { reason = "no reason given" } of skipped) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  if (counts.size === 0) return;
  process.stdout.write("\nSkipped\n");
  for (const [reason, count] of counts) process.stdout.write(`  ${count}: ${reason}\n`);
}

/** What passed only when it ran by itself: named, so that somebody finds the cause. */
function printUnsteady(unsteady: readonly TestResult[]): void {
  if (unsteady.length > 0) process.stdout.write("\nUnsteady: failed beside others, passed alone\n");
  for (const test of unsteady) {
    process.stdout.write(`  ${nameOf(test)}\n`);
    process.stdout.write(`${(test.errors[0] ?? "").replace(/^/gm, "    ")}\n`);
  }
  process.stdout.write(`\n${unsteady.length} unsteady\n`);
}

/** Writes `unsteady.json`, and prints what a person wants to know at the end. Returns the exit code. */
export function printSummary(found: Found, folder: string): number {
  const { results, again, problems, passedChecks } = found;
  const { unsteady } = again;
  const having = (status: TestResult["status"]): TestResult[] =>
    results.filter((test) => test.status === status);
  const skipped = having("skipped");
  const failed = having("failed").filter((test) => !unsteady.includes(test));
  printSlowest(results);
  printSkipped(skipped);
  printFailures(failed, found);
  if (results.length > 0) {
    const list = unsteady.map(({ file, title, errors }) => ({ file, title, error: errors[0] ?? "" }));
    writeFileSync(join(folder, "unsteady.json"), `${JSON.stringify(list, null, 2)}\n`);
    noteSlow(results, folder);
    printUnsteady(unsteady);
  }
  const passed = having("passed").length + unsteady.length + passedChecks;
  const failures = failed.length + problems.length;
  process.stdout.write(`\n${passed} passed, ${failures} failed, ${skipped.length} skipped\n`);
  return failures > 0 ? 1 : 0;
}
