import { runCommand } from "./command.ts";

/** A command that must end with 0. */
export interface Check {
  name: string;
  /** Commands that run one after the other. */
  commands: readonly (readonly string[])[];
}

/** How many checks run at the same time. */
const atOnce = 2;

async function runCheck({ name, commands }: Check): Promise<string | null> {
  let seconds = 0;
  for (const command of commands) {
    const ended = await runCommand(command);
    seconds += ended.seconds;
    if (ended.code === 0) continue;
    process.stdout.write(`  ✘ ${name} (${seconds.toFixed(1)} s): ${command.join(" ")}\n${ended.output}\n`);
    return `${name}: ${command.join(" ")} failed, see above`;
  }
  process.stdout.write(`  ✓ ${name} (${seconds.toFixed(1)} s)\n`);
  return null;
}

/** Runs the checks, and returns what failed. */
export async function runChecks(checks: readonly Check[]): Promise<string[]> {
  if (checks.length === 0) return [];
  process.stdout.write("\nchecks\n");
  const waiting = [...checks];
  const problems: string[] = [];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const problem = await runCheck(next);
      if (problem !== null) problems.push(problem);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return problems;
}
