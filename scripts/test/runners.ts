import type { TestRunner } from "./run-tests.ts";

/** Long enough for a busy machine: a limit only ends what hangs. */
const limitMs = 60 * 60_000;

const unitReporter = "--reporter=./scripts/test/unit-reporter.ts";
const alone = ["--output", "test-results/again", "--workers", "1"];

/** Unit tests of these projects of vitest.config.ts; with `sources`, those that import these modules. */
function unitRunner(name: string, projects: readonly string[], sources?: readonly string[]): TestRunner {
  const chosen = projects.flatMap((project) => ["--project", project]);
  return {
    name,
    command: sources
      ? ["vitest", "related", "--run", ...sources, ...chosen, unitReporter, "--passWithNoTests"]
      : ["vitest", "run", ...chosen, unitReporter],
    aloneCommand: ["vitest", "run", ...chosen, unitReporter, "--maxWorkers", "1"],
    limitMs,
  };
}

/** The browser tests of a configuration, all of them or some files. */
function browserRunner(name: string, config: string, specs: readonly string[] = []): TestRunner {
  const command = ["playwright", "test", "-c", config];
  return { name, command: [...command, ...specs], aloneCommand: [...command, ...alone], limitMs };
}

const unitProjects = ["unit", "elements", "console"];

export const unit = (sources?: readonly string[]): TestRunner => unitRunner("unit", unitProjects, sources);
export const browser = (specs?: readonly string[]): TestRunner => browserRunner("browser", "e2e", specs);

/** What takes long and depends on few files. */
export const releaseRunners: readonly [TestRunner, TestRunner] = [
  { ...unitRunner("release-unit", ["release"]), limitMs: 30 * 60_000 },
  { ...browserRunner("release", "e2e/release"), limitMs: 90 * 60_000 },
];
