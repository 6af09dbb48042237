/** How far above the noise speech has to be, in dB. */
const marginDb = 8;
/** Nothing below this is speech, however quiet the room is. */
const quietestDb = -55;
const digitalSilenceDb = -80;
/** How fast the estimate follows softer noise: this share of the difference in each frame. */
const downShare = 0.2;
/**
 * How fast the estimate follows louder noise, in dB a frame: fast while there is no voice, otherwise so slowly that a sentence
 * does not count as noise.
 */
const upDb = 0.3;
const upInVoiceDb = 0.02;

/** Voices change all the time. A sound whose level stays within so many dB for so many frames is a machine, water or wind. */
const steadyDb = 2.5;
const steadyFrames = 12;

/** The level of an effective value, in dB of full scale. */
export const levelDb = (rms: number): number =>
  Math.max(20 * Math.log10(Math.max(rms, 1e-9)), digitalSilenceDb);

/** Tells frames of 10 ms that stand out of the noise, which it learns all the time. */
export class NoiseGate {
  #floorDb = -60;
  #last: number[] = [];

  /**
   * Takes the level of the next frame. Returns whether it stands out. `mayBeVoice`: false if it is known to be none; `hasPitch`:
   * false if there was no vowel for a while, so that the sound is learned as noise although it stands out.
   */
  isAbove(db: number, mayBeVoice = true, hasPitch = true): boolean {
    this.#last = [...this.#last.slice(1 - steadyFrames), db];
    const isSteady =
      this.#last.length === steadyFrames && Math.max(...this.#last) - Math.min(...this.#last) < steadyDb;
    const isVoice = mayBeVoice && !isSteady;
    const above = db - this.#floorDb;
    this.#floorDb +=
      above < 0 ? above * downShare : Math.min(above, isVoice && hasPitch ? upInVoiceDb : upDb);
    return isVoice && above > marginDb && db > quietestDb;
  }
}
