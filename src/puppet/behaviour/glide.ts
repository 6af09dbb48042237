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
