/**
 * `npm test`: the static checks and builds, two at a time, then the unit tests, then the browser tests. Everything runs, also after a
 * failure; the end shows every failure again, the slowest tests, and the counts.
 *
 * `npm test -- --changed` runs what the changes of the working tree can affect. `npm run check` runs the static checks alone, and
 * `npm run test:release` what takes long and depends on few files.
 */
import { mkdirSync, rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { affectedBy, changedFiles, type Affected } from "./affected.ts";
import { missingBrowser } from "./browser-installation.ts";
import { runCommand } from "./command.ts";
import { readResults, type TestResult } from "./results.ts";
import { runChecks, type Check } from "./checks.ts";
import { changedChecks, releaseChecks, staticChecks } from "./check-list.ts";
import { printSummary } from "./summary.ts";

const reportFolder = "test-results";

const { values: options } = parseArgs({
  options: {
    changed: { type: "boolean", default: false },
    checks: { type: "boolean", default: false },
    release: { type: "boolean", default: false },
  },
});

/** Runs a test runner whose reporter writes its results into a file. Returns them, and what is wrong beside them. */
async function runTests(
  name: string,
  command: readonly string[],
): Promise<{ results: TestResult[]; problem: string | null }> {
  process.stdout.write(`\n${name}\n`);
  // What an earlier run left is not this one's.
  rmSync(`${reportFolder}/${name}.json`, { force: true });
  const { code } = await runCommand(command, { shows: true });
  const results = readResults(`${reportFolder}/${name}.json`);
  const hasFailed = results.some(({ status }) => status === "failed");
  if (code === 0 || hasFailed) return { results, problem: null };
  return { results, problem: `${name}: the runner ended with ${code}, see above` };
}

const unitCommand = (affected: Affected | null): string[] => [
  "vitest",
  ...(affected === null ? ["run"] : ["related", "--run", ...affected.sources]),
  "--passWithNoTests",
  "--reporter=./scripts/test/unit-reporter.ts",
];

const browserCommand = (config: string, specs: readonly string[]): string[] => [
  "playwright",
  "test",
  "-c",
  config,
  ...specs,
];

async function main(): Promise<number> {
  mkdirSync(reportFolder, { recursive: true });
  const affected = options.changed ? affectedBy(changedFiles()) : null;
  if (affected) process.stdout.write(`Changed: ${affected.changed.join(" ") || "nothing"}\n`);
  let checks: Check[] = staticChecks;
  if (affected) checks = changedChecks(affected);
  if (options.release) checks = releaseChecks;
  const problems = await runChecks(checks);
  const results: TestResult[] = [];
  const add = async (name: string, command: readonly string[]): Promise<void> => {
    const { results: own, problem } = await runTests(name, command);
    results.push(...own);
    if (problem !== null) problems.push(problem);
  };
  if (!options.checks && !options.release && (!affected || affected.sources.length > 0))
    await add("unit", unitCommand(affected));
  const specs = affected?.specs ?? [];
  if (!options.checks && (!affected || specs.length > 0)) {
    const missing = await missingBrowser();
    if (missing !== null) problems.push(missing);
    else if (options.release) await add("release", browserCommand("e2e/release", []));
    else await add("browser", browserCommand("e2e", specs));
  }
  return printSummary(results, problems);
}

process.exitCode = await main();
