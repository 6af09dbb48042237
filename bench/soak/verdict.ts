import { formatTable, percentile, short, type Table } from "../table.ts";
import { faultsOf, lostEvents } from "./report-ledger.ts";
import type { SoakRecord } from "./soak.ts";

/** Limits of memory growth after the warm-up, in MB. A run below 10 minutes is mostly warm-up, so it is not judged. */
const growthLimits = { server: 40, media: 30, heap: 10 } as const;
const judgedFromMinutes = 10;
/**
 * How far above its start the server's memory may come beside an attacker, in MB (resident memory). An attack leaves nothing behind on the
 * heap (37 MB after two rounds of all attacks, 30 MB before), but the allocator keeps what the largest bodies and the threads
 * of voices needed: it rises in the first round, to 515 MB from 131 MB without any voice, and not in the second (512 MB).
 */
const attackedLimit = 300;
const skewLimitMs = 80;

const growthLimit = (name: string): number =>
  name === "server" ? growthLimits.server : name.startsWith("media") ? growthLimits.media : growthLimits.heap;

/** The faults of a process's memory. */
function memoryFaults({ memory, minutes }: SoakRecord, isAttacked: boolean): string[] {
  if (minutes < judgedFromMinutes) return [];
  return memory.names.flatMap((name) => {
    const { first, highest, growth } = memory.summary(name);
    const isBeside = isAttacked && name === "server";
    const [grown, limit] = isBeside ? [highest - first, attackedLimit] : [growth, growthLimit(name)];
    return grown !== null && grown > limit ? [`${name} grew by ${short(grown)} MB (limit ${limit})`] : [];
  });
}

/** All faults in a record and in what is left after all visitors have gone; empty if there are none. A busy machine's lips are not judged. */
export function faultsOfSoak(
  record: SoakRecord,
  left: { liveSessions: number; errorLines: string[]; isBusy: boolean; isAttacked: boolean },
): string[] {
  const skew = percentile(record.skewsMs.undisturbed, 95);
  return [
    ...record.troubles,
    ...record.outcomes.flatMap(faultsOf),
    ...memoryFaults(record, left.isAttacked),
    ...(record.skewsMs.undisturbed.length === 0 ? ["the lips were never measured against the voice"] : []),
    ...(skew > skewLimitMs && !left.isBusy
      ? [`picture and sound are ${short(skew)} ms apart (p95, limit ${skewLimitMs})`]
      : []),
    ...(left.liveSessions > 0 ? [`${left.liveSessions} sessions are live after everybody left`] : []),
    ...left.errorLines.map((line) => `the server logged: ${line}`),
  ];
}

/** The 95th percentile of each sixth of the samples, in order of time, which shows when the offset began to grow. */
function courseOf(samples: readonly number[]): string {
  const length = Math.ceil(samples.length / 6);
  const sixths = Array.from({ length: 6 }, (_, index) => samples.slice(index * length, (index + 1) * length));
  return sixths.map((part) => (part.length === 0 ? "–" : short(percentile(part, 95)))).join(" ");
}

/** The record as tables. */
export function describeSoak(record: SoakRecord): string {
  const memory: Table = {
    title: "Memory, MB (growth: lowest of the last fifth above the lowest of the second fifth)",
    rows: record.memory.names.map((name) => {
      const { first, last, highest, growth } = record.memory.summary(name);
      const columns = { first: short(first), last: short(last), highest: short(highest) };
      return {
        name,
        columns: { ...columns, growth: growth === null ? "–" : short(growth), limit: growthLimit(name) },
      };
    }),
  };
  const ends = record.outcomes.map(({ stored }) => stored.filter((kind) => kind === "SESSION_END").length);
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  const sessions: Table = {
    title: `Sessions of ${record.minutes} minutes`,
    rows: Object.entries({
      sessions: record.outcomes.length,
      "END a session, fewest": Math.min(...ends),
      "END a session, most": Math.max(...ends),
      "events confirmed": sum(record.outcomes.map(({ confirmed }) => confirmed.length)),
      "events lost": sum(record.outcomes.map(lostEvents)),
      "questions asked": sum(record.outcomes.map(({ asked }) => asked)),
      "answers heard": sum(record.outcomes.map(({ answered }) => answered)),
      "line cut": record.cuts,
      "media process killed": record.kills,
      "picture against sound, p50 ms": short(percentile(record.skewsMs.undisturbed, 50)),
      "picture against sound, p95 ms": short(percentile(record.skewsMs.undisturbed, 95)),
      "p95 ms of each sixth of the time": courseOf(record.skewsMs.undisturbed),
      "of the samples unbelievable": record.unbelievableSkews,
      "until 20 s after a loss, p95 ms": short(percentile(record.skewsMs.disturbed, 95)),
    }).map(([name, count]) => ({ name, columns: { "": count } })),
  };
  return `${formatTable(memory)}\n${formatTable(sessions)}`;
}
