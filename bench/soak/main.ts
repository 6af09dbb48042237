/**
 * `npm run soak [-- <minutes>] [-- --kill-media] [-- --busy] [-- --attacked]`: real browsers talk to a real server, lose their connection, reconnect and
 * leave. Prints memory, lip offset, lost events and END counts. Exits with 1 if there is any fault. `--busy`: the machine has other work,
 * which delays sound more than pictures, so the offset is no fault. `--attacked`: for the first 7 of 10 minutes, an attacker floods the
 * server in one way after the other.
 */
import { callApi } from "../../e2e/support/service-api.ts";
import type { Server } from "../../e2e/support/stack.ts";
import { attackInTurn } from "./attackers.ts";
import { openSoakStage } from "./soak-stage.ts";
import { Soak } from "./soak.ts";
import { describeSoak, faultsOfSoak } from "./verdict.ts";

const words = process.argv.slice(2);
const minutes = Number(words.find((word) => !word.startsWith("--")) ?? 5);
if (!Number.isFinite(minutes) || minutes <= 0)
  throw new Error("Pass the duration in minutes: npm run soak -- 60");

/** Sessions that the service still counts as live (its Prometheus figures). */
async function liveSessions(server: Server): Promise<number> {
  const text = await (await callApi(server, "/metrics")).text();
  const counts = [...text.matchAll(/^visavis_sessions\{[^}]*\} (\d+)$/gm)].map((match) => Number(match[1]));
  return counts.reduce((total, count) => total + count, 0);
}

const errorLines = (server: Server): string[] =>
  server
    .output()
    .split("\n")
    .filter((line) => line.includes('"level":"error"'));

const stage = await openSoakStage();
let faults: string[];
try {
  if (stage.linkProblem) console.log(`The link is never cut: ${stage.linkProblem}`);
  const soak = new Soak(stage, { minutes, killMedia: words.includes("--kill-media") });
  const progress = setInterval(() => console.log(describeSoak(soak.record)), 10 * 60_000);
  // What the attacker opened has time to be ended before the sessions are counted.
  const attacking = words.includes("--attacked") ? attackInTurn(stage, minutes * 42_000) : null;
  const record = await soak.run().finally(() => clearInterval(progress));
  if (attacking) console.log("The attacker's answers by status:", await attacking);
  console.log(describeSoak(record));
  faults = faultsOfSoak(record, {
    liveSessions: await liveSessions(stage.server),
    errorLines: errorLines(stage.server),
    isBusy: words.includes("--busy"),
    isAttacked: attacking !== null,
  });
} finally {
  await stage.close();
}
console.log(faults.length === 0 ? "Clean." : `Not clean:\n${faults.map((fault) => `- ${fault}`).join("\n")}`);
process.exit(faults.length === 0 ? 0 : 1);
