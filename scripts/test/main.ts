/**
 * `npm test`: a build, the unit tests and the browser tests. Each test runs once; what failed is run again by itself at the end. Everything runs, also after a failure; the end shows every failure
 * again, what is unsteady, the slowest tests, and the counts.
 *
 * `npm test -- --changed` runs what the changes of the working tree can affect. `npm run check` runs the static checks, and
 * `npm run test:release` what takes long and depends on few files.
 */
import { parseArgs } from "node:util";
import { affectedBy, changedFiles, type Affected } from "./affected.ts";
import { build, changedChecks, releaseChecks, staticChecks } from "./check-list.ts";
import { runAll, type Plan } from "./run-all.ts";
import { browser, releaseRunners, unit } from "./runners.ts";

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

function planForChange(affected: Affected): Plan {
  process.stdout.write(`Changed: ${affected.changed.join(" ") || "nothing"}\n`);
  const { sources, specs } = affected;
  return {
    checks: changedChecks(affected),
    runners: sources.length > 0 ? [unit(sources)] : [],
    browserRunners: specs.length > 0 ? [browser(specs)] : [],
  };
}

function plan(): Plan {
  if (options.checks) return { checks: staticChecks, runners: [], browserRunners: [] };
  if (options.changed) return planForChange(affectedBy(changedFiles()));
  if (options.release) {
    const [units, browsers] = releaseRunners;
    return { checks: releaseChecks, runners: [units], browserRunners: [browsers] };
  }
  return { checks: [build], runners: [unit()], browserRunners: [browser()] };
}

// What was started ends with this process.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(1));

process.exitCode = await runAll(plan(), {
  folder: "test-results",
  deadlineMs: performance.now() + limitSec * 1_000,
});
