/**
 * Keeps the browser tests so few and so quick that a person runs them: `tsx scripts/test/growth.ts` fails when there are more than
 * `mostTests`, or when one took longer than `longestSec` in each of the last two runs here.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "./command.ts";
import type { TestResult } from "./results.ts";

const mostTests = 130;
const longestSec = 6;

/** A browser test that took too long, and in how many runs in a row. */
interface Slow {
  test: string;
  sec: number;
  runs: number;
}

const fileIn = (folder: string): string => join(folder, "slow.json");

function slowTests(folder: string): Slow[] {
  return existsSync(fileIn(folder)) ? (JSON.parse(readFileSync(fileIn(folder), "utf8")) as Slow[]) : [];
}

/** Notes which browser tests of a run took too long. Those that were not in the run are kept as they were. */
export function noteSlow(results: readonly TestResult[], folder: string): void {
  const known = new Map(slowTests(folder).map((slow) => [slow.test, slow]));
  for (const { file, title, durationMs, status } of results) {
    if (!file.startsWith("e2e/") || file.startsWith("e2e/release/") || status === "skipped") continue;
    const test = `${file} › ${title}`;
    const sec = Math.round(durationMs / 100) / 10;
    if (sec > longestSec) known.set(test, { test, sec, runs: (known.get(test)?.runs ?? 0) + 1 });
    else known.delete(test);
  }
  writeFileSync(fileIn(folder), `${JSON.stringify([...known.values()], null, 2)}\n`);
}

/** What is wrong with the number of browser tests, and with what was noted of their times. */
export function growthFaults(count: number, folder: string): string[] {
  const slow = slowTests(folder).filter(({ runs }) => runs > 1);
  return [
    ...(count > mostTests
      ? [
          `There are ${count} browser tests, at most ${mostTests}: prove a rule in a unit test, or in a visit that is there.`,
        ]
      : []),
    ...slow.map(
      ({ test, sec }) =>
        `${test} took over ${longestSec} s twice (${sec} s): let it do less, or prove it in a unit test.`,
    ),
  ];
}

if (process.argv[1] === import.meta.filename) {
  const { output, code } = await runCommand(["playwright", "test", "-c", "e2e", "--list", "--reporter=list"]);
  const count = /^Total: (\d+) tests?/m.exec(output)?.[1];
  const faults =
    count === undefined ? [output || `ended with ${code}`] : growthFaults(Number(count), "test-results");
  process.stdout.write(faults.map((fault) => `${fault}\n`).join(""));
  process.exitCode = faults.length > 0 ? 1 : 0;
}
