import { wander } from "./random.ts";

const restingMs = 4200;
const speakingMs = 3300;

/** How much the length of one breath differs from the next. */
const unevenness = 0.22;

/** With reduced motion, the chest stays at this point of the breath. */
const heldBreath = 0.3;

/** How far a breath lifts the head, as a share of `headNod`. */
const headLift = 0.028;

/** A breath: `chest` 0…1 as in `PuppetParams`, and how far it lifts the head and the hair on the shoulders. */
export interface BreathState {
  readonly chest: number;
  readonly lift: number;
}

/** Breathing of uneven length, a little faster in speech. */
export class Breath {
  #phase = 0;

  constructor(private readonly seed: number) {}

  /** The breath after `elapsedMs`. `calm` holds it. */
  step(nowMs: number, elapsedMs: number, speaking: boolean, calm: boolean): BreathState {
    if (calm) return { chest: heldBreath, lift: 0 };
    const uneven = 1 + unevenness * wander(this.seed, nowMs, 6100);
    this.#phase += elapsedMs / ((speaking ? speakingMs : restingMs) * uneven);
    const chest = 0.5 - 0.5 * Math.cos(2 * Math.PI * this.#phase);
    return { chest, lift: headLift * (chest - 0.5) };
  }
}
