import type { TestResult } from "./results.ts";

const slowestShown = 20;

const nameOf = ({ file, title }: TestResult): string => `${file} › ${title}`;

function printFailures(failed: readonly TestResult[], problems: readonly string[]): void {
  if (failed.length + problems.length === 0) return;
  process.stdout.write("\nFailed\n");
  for (const problem of problems) process.stdout.write(`  ${problem}\n`);
  for (const test of failed) {
    process.stdout.write(`  ${nameOf(test)}\n`);
    for (const error of test.errors) process.stdout.write(`${error.replace(/^/gm, "    ")}\n`);
    for (const { name, path } of test.attachments ?? []) {
      const line = name === "trace" ? `npx playwright show-trace ${path}` : path;
      process.stdout.write(`    ${name}: ${line}\n`);
    }
  }
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

/** Prints what a person wants to know at the end. Each failed check counts as one failure. Returns the exit code. */
export function printSummary(results: readonly TestResult[], problems: readonly string[]): number {
  const having = (status: TestResult["status"]): TestResult[] =>
    results.filter((test) => test.status === status);
  const [passed, failed, skipped] = [having("passed"), having("failed"), having("skipped")];
  printSlowest(results);
  printSkipped(skipped);
  printFailures(failed, problems);
  const failures = failed.length + problems.length;
  process.stdout.write(`\n${passed.length} passed, ${failures} failed, ${skipped.length} skipped\n`);
  return failures > 0 ? 1 : 0;
}
