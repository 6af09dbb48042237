import { missingBrowser } from "./browser-installation.ts";
import { build } from "./check-list.ts";
import { runChecks, type Check } from "./checks.ts";
import { runAgain } from "./run-again.ts";
import { runTests, skipTests, type Ran, type Run, type TestRunner } from "./run-tests.ts";
import { printSummary } from "./summary.ts";

/** What a run has to do. */
export interface Plan {
  checks: readonly Check[];
  runners: readonly TestRunner[];
  /** Those that need a browser. */
  browserRunners: readonly TestRunner[];
}

/** Runs checks and tests, also after a failure, then what failed again by itself, and prints the summary. Returns the exit code. */
export async function runAll({ checks, runners, browserRunners }: Plan, run: Run): Promise<number> {
  const failedChecks = await runChecks(checks, run);
  const isBuilt = !failedChecks.some((problem) => problem.startsWith(build.name));
  const missing = browserRunners.length > 0 ? await missingBrowser() : null;
  const ran: Ran[] = [];
  for (const runner of [...runners, ...(isBuilt && missing === null ? browserRunners : [])])
    ran.push(await runTests(runner, run));
  if (missing !== null) for (const runner of browserRunners) ran.push(await skipTests(runner, missing));
  const problems = [...failedChecks, ...ran.flatMap((one) => one.problems)];
  return printSummary(
    {
      results: ran.flatMap(({ results }) => results),
      again: await runAgain(ran, run),
      problems,
      passedChecks: checks.length - failedChecks.length,
    },
    run.folder,
  );
}
