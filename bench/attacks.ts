import { spawnPinned, ask } from "./pinned.ts";
import { attacks } from "./attacks/attack-list.ts";
import type { AttackOrder } from "./attacks/attacker.ts";
import type { Outcomes } from "./attacks/attacker-client.ts";
import { visit, type Visit } from "./attacks/honest-visitor.ts";
import { openBenchStage, type BenchStage } from "./browser.ts";
import { residentMegabytes } from "./soak/memory-record.ts";
import { percentile, short, type Row, type Table } from "./table.ts";

const questions = [
  "How much is the Alder reading chair?",
  "Do you deliver to Austria?",
  "Can I send it back?",
  "When are you open on Saturday?",
  "What does the Hazel desk cost?",
];
/** How long the attack runs before the first visitor arrives. */
const headStartMs = 2_000;
/** Addresses of this machine, one for each attack, so that the server counts them separately from the visitor's. */
const attackerAddress = (index: number): string => `127.0.1.${index + 1}`;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Resident memory of the server and its media processes together, in MB. */
function memoryOf({ server }: BenchStage): number {
  return [server.pid, ...server.mediaPids()]
    .map(residentMegabytes)
    .filter(Number.isFinite)
    .reduce((sum, megabytes) => sum + megabytes, 0);
}

interface Measured {
  visits: Visit[];
  /** Peak memory minus the memory of the idle server. */
  aboveIdleMb: number;
  deadMediaProcesses: number;
  outcomes: Outcomes;
}

/** Measures visitors, one after the other, on a fresh server, with an attack or without. */
async function measure(name: string | null, index: number, rounds: number): Promise<Measured> {
  const stage = await openBenchStage();
  const attacker = name === null ? null : spawnPinned("attacks/attacker.ts", 0);
  try {
    // The first visit to a new server with a new browser is slower than what visitors usually see, so it is not measured.
    await visit(stage.browser, stage.site.origin, "Where is the showroom?");
    await pause(1_000);
    const idleMb = memoryOf(stage);
    let highestMb = idleMb;
    const sampling = setInterval(() => (highestMb = Math.max(highestMb, memoryOf(stage))), 200);
    if (attacker && name !== null) {
      const target = {
        port: Number(new URL(stage.server.origin).port),
        fromAddress: attackerAddress(index),
        origin: stage.site.origin,
      };
      await ask(attacker, { type: "begin", name, ...target } satisfies AttackOrder);
      await pause(headStartMs);
    }
    const visits: Visit[] = [];
    for (let round = 0; round < rounds; round++)
      visits.push(await visit(stage.browser, stage.site.origin, questions[round % questions.length]!));
    const outcomes = attacker ? await ask<Outcomes>(attacker, { type: "stop" } satisfies AttackOrder) : {};
    clearInterval(sampling);
    const deadMediaProcesses = stage.server.output().split('"media process died"').length - 1;
    return { visits, aboveIdleMb: highestMb - idleMb, deadMediaProcesses, outcomes };
  } finally {
    attacker?.kill();
    await stage.close();
  }
}

/** Median of a waiting time; infinite if half of the visitors never got what they waited for. */
function median(visits: readonly Visit[], key: keyof Visit): number {
  return percentile(
    visits.map((waits) => waits[key] ?? Infinity),
    50,
  );
}

const shown = (value: number): number | string => (Number.isFinite(value) ? short(value) : "never");

function row(name: string, measured: Measured, quiet: Measured): Row {
  const frame = median(measured.visits, "firstFrameMs");
  const sound = median(measured.visits, "firstSoundMs");
  const statuses = Object.entries(measured.outcomes).map(([status, count]) => `${status}: ${count}`);
  return {
    name,
    columns: {
      "frame ms": shown(frame),
      ratio: shown(frame / median(quiet.visits, "firstFrameMs")),
      "sound ms": shown(sound),
      "ratio ": shown(sound / median(quiet.visits, "firstSoundMs")),
      "MB above idle": Math.round(measured.aboveIdleMb),
      "dead media": measured.deadMediaProcesses,
      "attacker's answers": statuses.join(", "),
    },
  };
}

/** The first frame and first sound of an honest visitor during each attack, compared with those without an attack. */
export async function benchAttacks(rounds = 5): Promise<Table[]> {
  const quiet = await measure(null, 0, rounds);
  const rows = [row("no attack", quiet, quiet)];
  for (const [index, name] of Object.keys(attacks).entries())
    rows.push(row(name, await measure(name, index, rounds), quiet));
  return [
    {
      title: `An honest visitor under attack: medians of ${rounds} (ratios at most 2, 300 MB above idle, 0 dead media processes)`,
      rows,
    },
  ];
}
