import { join } from "node:path";
import { runCommand } from "./command.ts";
import { beginReport, readReport, reportVariable, type TestResult } from "./results.ts";

/** A test runner whose reporter writes a report. */
export interface TestRunner {
  name: string;
  /** Runs all of its tests, each once. */
  command: readonly string[];
  /** The command to which a test's `again` is added: one worker, nothing beside it. */
  aloneCommand: readonly string[];
  limitMs: number;
}

/** What became of a runner's tests. */
export interface Ran {
  runner: TestRunner;
  results: readonly TestResult[];
  /** What is wrong beside failed tests. */
  problems: readonly string[];
}

/** Where reports are written, and when the whole run has to end. */
export interface Run {
  folder: string;
  /** By `performance.now()`. */
  deadlineMs: number;
  /** How long failed tests may be run again; what is left then counts as failed. Default: eight minutes. */
  againMs?: number;
}

const minutes = (ms: number): string => `${(ms / 60_000).toFixed(1)} minutes`;

/** How long a part may take: as it says, or what the whole run has left. */
export const limitOf = ({ deadlineMs }: Run, limitMs: number): number =>
  Math.max(0, Math.min(limitMs, deadlineMs - performance.now()));

/** Counts the browser tests of a runner as skipped. */
export async function skipTests(runner: TestRunner, reason: string): Promise<Ran> {
  const { output } = await runCommand([...runner.command, "--list", "--reporter=list"]);
  const count = Number(/^Total: (\d+) tests?/m.exec(output)?.[1] ?? 1);
  const results = Array.from({ length: count }, (_, index): TestResult => ({
    file: runner.name,
    title: `${index + 1}`,
    status: "skipped",
    durationMs: 0,
    errors: [],
    reason,
  }));
  return { runner, results, problems: [] };
}

/** Runs a runner's tests. One that dies, or reaches its limit, fails with what is known. */
export async function runTests(runner: TestRunner, run: Run): Promise<Ran> {
  const { name, command } = runner;
  const limitMs = limitOf(run, runner.limitMs);
  process.stdout.write(`\n${name}\n`);
  if (limitMs === 0) return { runner, results: [], problems: [`${name}: not run, the run's time was over`] };
  const path = join(run.folder, `${name}.jsonl`);
  beginReport(path);
  const { code, late } = await runCommand(command, { shows: true, limitMs, env: { [reportVariable]: path } });
  const { results, running, isComplete } = readReport(path);
  const atWork = running.length > 0 ? ` Running then: ${running.join("; ")}.` : "";
  const problems: string[] = [];
  if (late) problems.push(`${name}: ended at its limit of ${minutes(limitMs)}.${atWork}`);
  else if (!isComplete)
    problems.push(`${name}: the runner ended with ${code} before all tests had run.${atWork}`);
  else if (code !== 0 && !results.some(({ status }) => status === "failed"))
    problems.push(`${name}: the runner ended with ${code}, see above.`);
  return { runner, results, problems };
}
