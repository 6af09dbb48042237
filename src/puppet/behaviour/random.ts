/** A source of random numbers 0…1. The same seed gives the same numbers. */
export type Random = () => number;

/** Creates a seeded random source (a 32-bit mixing counter; not for secrets). */
export function createRandom(seed: number): Random {
  let counter = seed | 0;
  return () => {
    counter = (counter + 0x9e3779b9) | 0;
    return mix(counter) / 0x1_0000_0000;
  };
}

/** A random number between two bounds. */
export function between(random: Random, [low, high]: readonly [low: number, high: number]): number {
  return low + (high - low) * random();
}

/** Smooth noise between −1 and 1 with a new random value about every `periodMs`; a pure function of time. */
export function wander(seed: number, nowMs: number, periodMs: number): number {
  const place = nowMs / periodMs;
  const cell = Math.floor(place);
  const t = place - cell;
  const from = height(seed, cell);
  return from + (height(seed, cell + 1) - from) * t * t * (3 - 2 * t);
}

function height(seed: number, cell: number): number {
  return mix(Math.imul(seed, 0x27d4eb2f) ^ Math.imul(cell, 0x165667b1)) / 0x8000_0000 - 1;
}

function mix(value: number): number {
  let bits = value;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** A value that moves to its target smoothly, without a jump in position or speed. The result does not depend on the frame rate. */
export class Glide {
  #lead: number | undefined;
  #value = 0;

  /** `timeMs` is roughly the time in which it covers two thirds of the way. */
  constructor(private readonly timeMs: number) {}

  /** Moves towards `target` for `elapsedMs`; the first call starts there. */
  step(target: number, elapsedMs: number): number {
    if (this.#lead === undefined) {
      this.#value = target;
      return (this.#lead = target);
    }
    // Two low-pass stages in a row (a critically damped follower), solved exactly for a constant target.
    const rate = elapsedMs / (this.timeMs / 2);
    const decay = Math.exp(-rate);
    const lead = this.#lead - target;
    this.#value = target + (this.#value - target + lead * rate) * decay;
    this.#lead = target + lead * decay;
    return this.#value;
  }
}
