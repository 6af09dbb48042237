/** Below this the meter shows nothing, at the upper limit all of it, in dB of full scale. */
const floorDb = -55;
const ceilingDb = -15;

/** How fast the level follows: up at once, down slowly, as the eye expects of a meter. In ms. */
const attackMs = 60;
const releaseMs = 240;

/** The level that is shown for an effective value of the sound, 0 to 1. */
export function shownLevel(rms: number): number {
  const db = 20 * Math.log10(Math.max(rms, 1e-6));
  return Math.min(Math.max((db - floorDb) / (ceilingDb - floorDb), 0), 1);
}

/** The level after `elapsedMs` at which `heard` was measured. */
export function followedLevel(level: number, heard: number, elapsedMs: number): number {
  const timeMs = heard > level ? attackMs : releaseMs;
  return heard + (level - heard) * Math.exp(-elapsedMs / timeMs);
}
