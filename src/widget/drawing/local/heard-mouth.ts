import type { PuppetParams } from "../../../puppet/index.ts";

type Weights = NonNullable<PuppetParams["visemeWeights"]>;

/** This many dB below the loud parts of a voice, the mouth is closed. */
const rangeDb = 24;
/** Nothing below this counts as voice, in dB of full scale; and no voice counts as quieter than this. */
const silenceDb = -58;
const quietDb = -38;
/** How fast what counts as loud is forgotten, in dB a second. */
const forgetDbPerSec = 3;
/** How fast the mouth opens and closes. */
const openMs = 30;
const closeMs = 65;
/** How long the mouth takes to follow the sound instead of its timeline, and back. */
const blendMs = 110;
/** How often the vowel changes: about as often as syllables do. */
const vowelMs = 175;
/** The mouth of a loud vowel. More looks like shouting. */
const widest = 0.75;

/** Moves the mouth by the loudness of the voice that is heard: for speech of which nothing else is known, or not yet. */
export class HeardMouth {
  #loudDb = quietDb;
  #open = 0;
  #share = 0;
  #atMs = Number.NaN;
  #isMuted = false;

  /** What is heard now. `isKnown`: the mouth shapes are known from elsewhere. */
  hear(levelDb: number, atMs: number, isKnown: boolean): void {
    const passedMs = Math.min(Math.max(0, atMs - this.#atMs) || 0, 100);
    this.#atMs = atMs;
    this.#loudDb = Math.max(levelDb, quietDb, this.#loudDb - (forgetDbPerSec * passedMs) / 1_000);
    const wanted = levelDb > silenceDb ? Math.max(0, 1 + (levelDb - this.#loudDb) / rangeDb) : 0;
    if (wanted === 0) this.#isMuted = false;
    const way = (this.#isMuted ? 0 : wanted) - this.#open;
    this.#open += way * (1 - Math.exp(-passedMs / (way > 0 ? openMs : closeMs)));
    const step = passedMs / blendMs;
    this.#share = Math.min(Math.max(this.#share + (isKnown ? -step : step), 0), 1);
  }

  /** The voice was stopped: what is still heard of it does not count. */
  mute(): void {
    this.#isMuted = true;
  }

  /** The mouth shapes, where others leave room. */
  addTo(others: Weights = {}): Weights {
    const strength = this.#share * this.#open * widest;
    if (strength < 0.01) return others;
    const taken = Object.values(others).reduce((sum, weight) => sum + weight, 0);
    const room = Math.max(0, 1 - taken) * strength;
    // Louder vowels are more open ones.
    const round = 0.5 + 0.5 * Math.sin((this.#atMs * Math.PI) / vowelMs);
    const added = {
      aa: room * this.#open,
      E: room * (1 - this.#open) * (1 - round),
      oh: room * (1 - this.#open) * round,
    };
    const weights: Weights = { ...others };
    for (const viseme of ["aa", "E", "oh"] as const) weights[viseme] = (weights[viseme] ?? 0) + added[viseme];
    return weights;
  }
}
