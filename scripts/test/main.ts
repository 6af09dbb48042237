/**
 * `npm test`: a build, the unit tests, the timing-sensitive browser tests, with nothing beside them, and the other browser tests. Each
 * test runs once; what failed is run again by itself at the end. Everything runs, also after a failure; the end shows every failure
 * again, what is unsteady, the slowest tests, and the counts.
 *
 * `npm test -- --changed` runs what the changes of the working tree can affect. `npm run check` runs the static checks, and
 * `npm run test:release` what takes long and depends on few files.
 */
import { parseArgs } from "node:util";
import { affectedBy, changedFiles, type Affected } from "./affected.ts";
import { missingBrowser } from "./browser-installation.ts";
import { build, changedChecks, releaseChecks, staticChecks } from "./check-list.ts";
import { runChecks, type Check } from "./checks.ts";
import { runAgain } from "./run-again.ts";
import { runTests, type Ran, type Run, type TestRunner } from "./run-tests.ts";
import { browser, releaseRunners, timed, unit } from "./runners.ts";
import { printSummary } from "./summary.ts";

const { values: options } = parseArgs({
  options: {
    changed: { type: "boolean", default: false },
    checks: { type: "boolean", default: false },
    release: { type: "boolean", default: false },
  },
});

/** The longest that a whole run may take. A caller that has spent time before says what is left. */
const longestSec = options.release ? 3 * 3_600 : 75 * 60;
const limitSec = Math.min(longestSec, Number(process.env["TEST_LIMIT_SEC"] ?? longestSec));

/** What this run has to do. */
interface Plan {
  checks: readonly Check[];
  runners: readonly TestRunner[];
  /** Those of the runners that need a browser. */
  browserRunners: readonly TestRunner[];
}

function planForChange(affected: Affected): Plan {
  process.stdout.write(`Changed: ${affected.changed.join(" ") || "nothing"}\n`);
  const isTimed = (spec: string): boolean => spec.startsWith("e2e/timed/");
  const { sources, specs } = affected;
  const others = specs.filter((spec) => !isTimed(spec));
  return {
    checks: changedChecks(affected),
    runners: sources.length > 0 ? [unit(sources)] : [],
    browserRunners: [
      ...(others.length > 0 ? [browser(others)] : []),
      ...(specs.some(isTimed) ? [timed(specs.filter(isTimed))] : []),
    ],
  };
}

function plan(): Plan {
  if (options.checks) return { checks: staticChecks, runners: [], browserRunners: [] };
  if (options.changed) return planForChange(affectedBy(changedFiles()));
  if (options.release) {
    const [units, browsers] = releaseRunners;
    return { checks: releaseChecks, runners: [units], browserRunners: [browsers] };
  }
  return { checks: [build], runners: [unit()], browserRunners: [timed(), browser()] };
}

// What was started ends with this process.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(1));

const { checks, runners, browserRunners } = plan();
const run: Run = { folder: "test-results", deadlineMs: performance.now() + limitSec * 1_000 };
const failedChecks = await runChecks(checks, run);
const missing = browserRunners.length > 0 ? await missingBrowser() : null;
const ran: Ran[] = [];
for (const runner of runners) ran.push(await runTests(runner, run));
const isBuilt = !failedChecks.some((problem) => problem.startsWith(build.name));
if (missing === null && isBuilt) for (const runner of browserRunners) ran.push(await runTests(runner, run));
const again = await runAgain(ran, run);
process.exitCode = printSummary(
  {
    results: ran.flatMap(({ results }) => results),
    again,
    problems: [
      ...failedChecks,
      ...(missing === null ? [] : [missing]),
      ...ran.flatMap(({ problems }) => problems),
    ],
    passedChecks: checks.length - failedChecks.length,
  },
  run.folder,
);
