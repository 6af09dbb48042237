/** How loud something was at a time. */
export interface Heard {
  readonly atMs: number;
  readonly level: number;
}

/** The time of one value of the announced loudness, in ms. */
const stepMs = 20;
const leastCorrelation = 0.7;
const leastHeard = 30;
const resolutionMs = 4;

/** This many dB below its loud parts, speech counts as silent. */
const rangeDb = 26;

/** Loudness as the service tells it, 0 to 1, from levels in dB. */
export function relativeLevels(heardDb: readonly Heard[]): Heard[] {
  const sorted = heardDb.map(({ level }) => level).sort((a, b) => b - a);
  const loud = sorted[Math.floor(sorted.length * 0.08)] ?? 0;
  return heardDb.map(({ atMs, level }) => ({
    atMs,
    level: Math.min(Math.max(1 + (level - loud) / rangeDb, 0), 1),
  }));
}

/**
 * How much later than announced a speech is heard, in ms; null if that cannot be told. `announcedAtMs`: when its notice arrived.
 * Searched between `fromMs` and `toMs`.
 */
export function matchEnvelopes(
  heardDb: readonly Heard[],
  loudness: readonly number[],
  announcedAtMs: number,
  [fromMs, toMs]: readonly [fromMs: number, toMs: number],
): number | null {
  if (heardDb.length < leastHeard) return null;
  const heard = relativeLevels(heardDb);
  let best = { correlation: leastCorrelation, delayMs: Number.NaN };
  for (let delayMs = fromMs; delayMs <= toMs; delayMs += resolutionMs) {
    const told = heard.map(({ atMs }) => levelAt(loudness, atMs - announcedAtMs - delayMs));
    const correlation = correlationOf(heard, told);
    if (correlation > best.correlation) best = { correlation, delayMs };
  }
  return Number.isNaN(best.delayMs) ? null : best.delayMs;
}

/** The loudness at a time, between its values. */
function levelAt(loudness: readonly number[], ms: number): number {
  const at = ms / stepMs - 0.5;
  const before = Math.floor(at);
  const [first = 0, second = 0] = [loudness[before], loudness[before + 1]];
  return first + (second - first) * (at - before);
}

function correlationOf(heard: readonly Heard[], told: readonly number[]): number {
  const count = heard.length;
  let [sumA, sumB, sumAA, sumBB, sumAB] = [0, 0, 0, 0, 0];
  heard.forEach(({ level: a }, i) => {
    const b = told[i] ?? 0;
    sumA += a;
    sumB += b;
    sumAA += a * a;
    sumBB += b * b;
    sumAB += a * b;
  });
  const spread = Math.sqrt((sumAA - (sumA * sumA) / count) * (sumBB - (sumB * sumB) / count));
  return spread > 0 ? (sumAB - (sumA * sumB) / count) / spread : 0;
}
