/**
 * `npm test`: the static checks and builds, the unit tests, the timing-sensitive browser tests, with nothing beside them, and the other
 * browser tests. Everything runs, also after a failure; the end shows every failure again, the slowest tests, and
 * the counts.
 *
 * `npm test -- --changed` runs what the changes of the working tree can affect. `npm run check` runs the static checks alone, and
 * `npm run test:release` what takes long and depends on few files.
 */
import { parseArgs } from "node:util";
import { affectedBy, changedFiles, type Affected } from "./affected.ts";
import { missingBrowser } from "./browser-installation.ts";
import { runCommand } from "./command.ts";
import { hasFailed, readResults, removeResults } from "./results.ts";
import { runChecks } from "./checks.ts";
import { changedChecks, releaseChecks, staticChecks } from "./check-list.ts";
import { printSummary } from "./summary.ts";

const { values: options } = parseArgs({
  options: {
    changed: { type: "boolean", default: false },
    checks: { type: "boolean", default: false },
    release: { type: "boolean", default: false },
  },
});

/** What is wrong beside failed tests. */
const problems: string[] = [];
/** The runners whose results count. */
const runners: string[] = [];

/** Runs a test runner whose reporter writes its results. */
async function runTests(name: string, command: readonly string[]): Promise<void> {
  process.stdout.write(`\n${name}\n`);
  runners.push(name);
  const { code } = await runCommand(command, { shows: true });
  if (code !== 0 && !hasFailed(readResults(name)))
    problems.push(`${name}: the runner ended with ${code}, see above`);
}

const runUnitTests = (...selection: string[]): Promise<void> =>
  runTests("unit", [
    "vitest",
    ...(selection.length === 0 ? ["run"] : ["related", "--run", ...selection]),
    "--passWithNoTests",
    "--reporter=./scripts/test/unit-reporter.ts",
  ]);

const runBrowserTests = (name: string, config: string, specs: readonly string[] = []): Promise<void> =>
  runTests(name, ["playwright", "test", "-c", config, ...specs]);

/** Whether there is a browser. Without one, its tests are a failure. */
async function hasBrowser(): Promise<boolean> {
  const missing = await missingBrowser();
  if (missing !== null) problems.push(missing);
  return missing === null;
}

async function testAll(): Promise<void> {
  const browser = await hasBrowser();
  problems.push(...(await runChecks(staticChecks)));
  await runUnitTests();
  if (!browser) return;
  await runBrowserTests("timed", "e2e/timed");
  await runBrowserTests("browser", "e2e");
}

async function testChange(affected: Affected): Promise<void> {
  process.stdout.write(`Changed: ${affected.changed.join(" ") || "nothing"}\n`);
  problems.push(...(await runChecks(changedChecks(affected))));
  if (affected.sources.length > 0) await runUnitTests(...affected.sources);
  const isTimed = (spec: string): boolean => spec.startsWith("e2e/timed/");
  const [timed, others] = [affected.specs.filter(isTimed), affected.specs.filter((spec) => !isTimed(spec))];
  if (affected.specs.length === 0 || !(await hasBrowser())) return;
  if (others.length > 0) await runBrowserTests("browser", "e2e", others);
  if (timed.length > 0) await runBrowserTests("timed", "e2e/timed", timed);
}

async function testRelease(): Promise<void> {
  problems.push(...(await runChecks(releaseChecks)));
  if (await hasBrowser()) await runBrowserTests("release", "e2e/release");
}

for (const name of ["unit", "timed", "browser", "release"]) removeResults(name);
if (options.checks) problems.push(...(await runChecks(staticChecks)));
else if (options.release) await testRelease();
else if (options.changed) await testChange(affectedBy(changedFiles()));
else await testAll();
process.exitCode = printSummary(runners.flatMap(readResults), problems);
