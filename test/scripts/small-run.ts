/** Runs `runAll` with the plan of its argument, as `scripts/test/main.ts` does with the project's. */
import { runAll, type Plan } from "../../scripts/test/run-all.ts";

const [, , folder = "", plan = "", againMs] = process.argv;
process.exitCode = await runAll(JSON.parse(plan) as Plan, {
  folder,
  deadlineMs: performance.now() + 600_000,
  ...(againMs !== undefined && { againMs: Number(againMs) }),
});
