import { startServer } from "../e2e/support/stack.ts";
import {
  hostileTexts,
  openReadingStage,
  prepareReading,
  type ReadingStage,
} from "./attacks/hostile-texts.ts";
import type { ProbeOrder } from "./attacks/health-probe.ts";
import { ask, spawnPinned } from "./pinned.ts";
import { percentile, short, type Row, type Table } from "./table.ts";

/** A case that takes less is done again, so that there are enough answers for a percentile. */
const shortestMs = 3_000;

async function row(stage: ReadingStage, name: string, core: number): Promise<Row> {
  const probe = spawnPinned("attacks/health-probe.ts", core);
  const { port } = new URL(stage.server.origin);
  await ask(probe, { type: "begin", port: Number(port) } satisfies ProbeOrder);
  const startedMs = performance.now();
  let rounds = 0;
  for (; performance.now() - startedMs < shortestMs; rounds++) await hostileTexts[name]!(stage);
  const seconds = (performance.now() - startedMs) / 1_000;
  const times = await ask<number[]>(probe, { type: "stop" } satisfies ProbeOrder);
  probe.kill();
  return {
    name,
    columns: {
      times: rounds,
      "in s": short(seconds),
      answers: times.length,
      "p50 ms": short(percentile(times, 50)),
      "p99 ms": short(percentile(times, 99)),
      "max ms": short(Math.max(...times)),
    },
  };
}

/** How long the server's health takes to be told while it reads what is made to cost as much as it can. */
export async function benchHostile(): Promise<Table[]> {
  const server = await startServer("start", { VISAVIS_ALLOW_PRIVATE_ADDRESSES: "true" });
  const stage = await openReadingStage(server);
  try {
    prepareReading(stage);
    const rows: Row[] = [];
    for (const name of Object.keys(hostileTexts)) rows.push(await row(stage, name, 1));
    return [{ title: "Health while hostile texts are read (p99 at most 100 ms)", rows }];
  } finally {
    stage.close();
    await server.stop();
  }
}
