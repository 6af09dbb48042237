/** Samples of 48 kHz that become one: a pitch needs no more than 6 kHz. */
const joined = 8;
/** The pitches of voices, from a child's to a deep one, as periods in joined samples: 400 to 70 Hz. */
const shortestPeriod = 15;
const longestPeriod = 86;
/** What is compared with itself one period later: 25 ms. */
const comparedSamples = 150;
const keptSamples = comparedSamples + longestPeriod + 1;
/** How alike a sound and its next period are at least, 0 to 1. Noise stays below 0.4; vowels reach 0.9. */
const alike = 0.6;

/**
 * Tells whether a sound has a pitch, as the vowels of a voice have. Noise has none, whatever its level does. A simple form of
 * normalized autocorrelation.
 */
export class Pitch {
  readonly #kept = new Float32Array(keptSamples);

  /** Takes the next 10 ms at 48 kHz. Returns whether the last 40 ms have a pitch. */
  take(frame: Int16Array): boolean {
    const added = frame.length / joined;
    this.#kept.copyWithin(0, added);
    for (let index = 0; index < added; index++) {
      let sum = 0;
      for (let at = index * joined; at < (index + 1) * joined; at++) sum += frame[at] ?? 0;
      this.#kept[keptSamples - added + index] = sum / joined;
    }
    return this.#hasPeak();
  }

  /** Whether the likeness has a peak: slow rumble is like itself everywhere. */
  #hasPeak(): boolean {
    let before = 1;
    let now = this.#likeness(shortestPeriod);
    for (let period = shortestPeriod + 1; period <= longestPeriod; period++) {
      const next = this.#likeness(period);
      if (now >= alike && now > before && now >= next) return true;
      before = now;
      now = next;
    }
    return false;
  }

  #likeness(period: number): number {
    const kept = this.#kept;
    let product = 0;
    let first = 0;
    let second = 0;
    for (let at = 0; at < comparedSamples; at++) {
      const sample = kept[at] ?? 0;
      const later = kept[at + period] ?? 0;
      product += sample * later;
      first += sample * sample;
      second += later * later;
    }
    return product / Math.sqrt(first * second || 1);
  }
}
