/** A voice is this much louder than the background, and at least this loud (dB of full scale). */
const aboveFloorDb = 11;
const leastDb = -52;

/** How fast the estimate of the background follows louder sound, in dB per call of 10 ms. It follows softer sound at once. */
const floorRiseDb = 0.05;

/** A gap of up to this many calls of 10 ms, as within a word, does not end a voice. */
const holdCalls = 8;

/**
 * Tells from the level alone whether somebody speaks into a microphone. That is enough for a listener's nods; whether a turn ends is
 * decided elsewhere.
 */
export class VoicePresence {
  #floorDb = leastDb;
  #hold = 0;

  /** Whether there is a voice, after these 10 ms of samples. */
  take(samples: Int16Array): boolean {
    const level = levelDb(samples);
    this.#floorDb = Math.min(Math.max(level, -90), this.#floorDb + floorRiseDb);
    const isVoice = level >= Math.max(leastDb, this.#floorDb + aboveFloorDb);
    this.#hold = isVoice ? holdCalls : Math.max(0, this.#hold - 1);
    return this.#hold > 0;
  }
}

function levelDb(samples: Int16Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return 10 * Math.log10(sum / Math.max(1, samples.length) / 32_768 ** 2 + 1e-9);
}
