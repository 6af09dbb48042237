/** Runs `runAll` with the plan of its argument, as `scripts/test/main.ts` does with the project's. */
import { runAll, type Plan } from "../../scripts/test/run-all.ts";

const [, , folder = "", argument = ""] = process.argv;
const { againMs, ...plan } = JSON.parse(argument) as Plan & { againMs?: number };
process.exitCode = await runAll(plan, {
  ...{ folder, deadlineMs: performance.now() + 600_000 },
  ...(againMs !== undefined && { againMs }),
});
