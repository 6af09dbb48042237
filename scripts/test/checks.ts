import { runCommand } from "./command.ts";
import { limitOf, type Run } from "./run-tests.ts";

/** A command that must end with 0. */
export interface Check {
  name: string;
  /** Commands that run one after the other. */
  commands: readonly (readonly string[])[];
}

/** How many checks run at the same time. */
const atOnce = 2;

/** Long enough for a busy machine: a limit only ends a command that hangs. */
const limitMs = 15 * 60_000;

async function runCheck({ name, commands }: Check, run: Run): Promise<string | null> {
  let seconds = 0;
  for (const command of commands) {
    const ended = await runCommand(command, { limitMs: limitOf(run, limitMs) });
    seconds += ended.seconds;
    if (ended.code === 0 && !ended.late) continue;
    process.stdout.write(`  ✘ ${name} (${seconds.toFixed(1)} s): ${command.join(" ")}\n${ended.output}\n`);
    return `${name}: ${command.join(" ")} ${ended.late ? "was ended at its limit" : "failed"}, see above`;
  }
  process.stdout.write(`  ✓ ${name} (${seconds.toFixed(1)} s)\n`);
  return null;
}

/** Runs the checks, and returns what failed. None is run again. */
export async function runChecks(checks: readonly Check[], run: Run): Promise<string[]> {
  if (checks.length === 0) return [];
  process.stdout.write("\nchecks\n");
  const waiting = [...checks];
  const problems: string[] = [];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const problem = await runCheck(next, run);
      if (problem !== null) problems.push(problem);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return problems;
}
