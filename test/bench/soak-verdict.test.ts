import { expect, test } from "vitest";
import { MemoryRecord } from "../../bench/soak/memory-record.ts";
import type { SoakRecord } from "../../bench/soak/soak.ts";
import { faultsOfSoak } from "../../bench/soak/verdict.ts";

/** A run of ten minutes in which the server's memory went this way. */
function soakWith(...megabytes: number[]): SoakRecord {
  const memory = new MemoryRecord();
  for (const size of megabytes) memory.add("server", size);
  const none = { outcomes: [], unbelievableSkews: 0, cuts: 0, kills: 0, troubles: [] };
  return { ...none, minutes: 10, memory, skewsMs: { undisturbed: [10], disturbed: [] } };
}

const calm = { liveSessions: 0, errorLines: [], isBusy: false, isAttacked: false };
const rising = [260, 265, 270, 275, 380, 420, 470, 490, 496, 495];

test("the server may not grow by more than 40 MB while visitors come and go", () => {
  expect(faultsOfSoak(soakWith(...rising), calm)).toEqual(["server grew by 225 MB (limit 40)"]);
});

test("beside an attacker it may come 300 MB above its start, and not more", () => {
  const attacked = { ...calm, isAttacked: true };
  expect(faultsOfSoak(soakWith(...rising), attacked)).toEqual([]);
  expect(faultsOfSoak(soakWith(...rising, 600), attacked)).toEqual(["server grew by 340 MB (limit 300)"]);
});
