import { join } from "node:path";
import { runCommand } from "./command.ts";
import { beginReport, readReport, reportVariable, type TestResult } from "./results.ts";
import { limitOf, type Ran, type Run } from "./run-tests.ts";

/** How often a failed test is run again. */
const triesAlone = 2;
/** More failures than that are no chance: nothing is run again. */
const mostFailures = 40;
const defaultMs = 8 * 60_000;

/** Failed tests that run again together: all of a unit tests' file, one of the browser. */
interface Group {
  ran: Ran;
  again: readonly string[];
  tests: TestResult[];
}

/** Why a failed test counts as failed although it could be run again. */
export type LeftOut = "many" | "late";

/** What became of the failed tests. */
export interface Again {
  /** Passed when they ran by themselves. */
  unsteady: readonly TestResult[];
  leftOut?: LeftOut;
}

const hasFailed = ({ status }: TestResult): boolean => status === "failed";

function groupsOf(ran: readonly Ran[]): Group[] {
  const groups = new Map<string, Group>();
  for (const one of ran)
    for (const test of one.results.filter(hasFailed)) {
      if (!test.again) continue;
      const key = JSON.stringify([one.runner.name, test.again]);
      const group = groups.get(key) ?? { ran: one, again: test.again, tests: [] };
      group.tests.push(test);
      groups.set(key, group);
    }
  return [...groups.values()];
}

/** Runs a group once. Returns those of its tests that have failed again, all of them where the runner did not end by itself. */
async function runGroup({ ran, again, tests }: Group, run: Run, restMs: number): Promise<TestResult[]> {
  const path = join(run.folder, "again.jsonl");
  beginReport(path);
  await runCommand([...ran.runner.aloneCommand, ...again], {
    limitMs: restMs,
    env: { [reportVariable]: path },
  });
  const { results, isComplete } = readReport(path);
  if (!isComplete || results.length === 0) return tests;
  const failed = new Set(results.filter(hasFailed).map(({ title }) => title));
  return tests.filter(({ title }) => failed.has(title));
}

/**
 * Runs what failed again, each by itself, when everything else has ended. A test that fails each time is a fault; one that passes
 * alone is unsteady.
 */
export async function runAgain(ran: readonly Ran[], run: Run): Promise<Again> {
  const failed = ran.flatMap(({ results }) => results.filter(hasFailed));
  if (failed.length > mostFailures) return { unsteady: [], leftOut: "many" };
  const groups = groupsOf(ran);
  if (groups.length === 0) return { unsteady: [] };
  process.stdout.write("\nagain, one at a time\n");
  const limitMs = run.againMs ?? defaultMs;
  const ownRun = { ...run, deadlineMs: performance.now() + limitOf(run, limitMs) };
  const unsteady: TestResult[] = [];
  for (const group of groups) {
    let left = group.tests;
    for (let attempt = 1; attempt <= triesAlone && left.length > 0; attempt++) {
      const restMs = limitOf(ownRun, limitMs);
      if (restMs === 0) return { unsteady, leftOut: "late" };
      const still = await runGroup({ ...group, tests: left }, run, restMs);
      const passed = left.filter((test) => !still.includes(test));
      for (const { file, title } of passed) process.stdout.write(`  ✓ ${file} › ${title}\n`);
      for (const { file, title } of still) process.stdout.write(`  ✘ ${file} › ${title} (try ${attempt})\n`);
      unsteady.push(...passed);
      left = still;
    }
  }
  return { unsteady };
}
