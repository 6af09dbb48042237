import { attacks } from "../attacks/attack-list.ts";
import type { Outcomes } from "../attacks/attacker-client.ts";
import type { AttackOrder } from "../attacks/attacker.ts";
import { ask, spawnPinned } from "../pinned.ts";
import type { SoakStage } from "./soak-stage.ts";

const eachMs = 30_000;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Attacks the server for so long, each time in another way and from another address of this machine. Resolves with how many
 * requests had which status.
 */
export async function attackInTurn({ server, siteOrigin }: SoakStage, forMs: number): Promise<Outcomes> {
  const endsAtMs = performance.now() + forMs;
  const names = Object.keys(attacks);
  const total: Outcomes = {};
  for (let turn = 0; performance.now() < endsAtMs; turn++) {
    const attacker = spawnPinned("attacks/attacker.ts", 0);
    const target = { port: Number(new URL(server.origin).port), fromAddress: `127.0.1.${(turn % 200) + 1}` };
    const name = names[turn % names.length]!;
    await ask(attacker, { type: "begin", name, origin: siteOrigin, ...target } satisfies AttackOrder);
    await pause(Math.min(eachMs, endsAtMs - performance.now()));
    const outcomes = await ask<Outcomes>(attacker, { type: "stop" } satisfies AttackOrder);
    attacker.kill();
    for (const [status, count] of Object.entries(outcomes))
      total[Number(status)] = (total[Number(status)] ?? 0) + count;
  }
  return total;
}
