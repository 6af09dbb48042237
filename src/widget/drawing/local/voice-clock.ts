/** How fast the delay changes: a share of the time that passes. More would be seen in the face's motion. */
const slewShare = 0.1;
/** A greater difference is made good at once. */
const jumpMs = 150;

/** The face's clock: so much behind the page's as the sound is behind the messages that announce it. It never goes back. */
export class VoiceClock {
  #delayMs = 0;
  #targetMs = 0;
  #readAtMs = Number.NaN;
  #nowMs = -Infinity;

  /** How far it is to be behind. */
  set delayMs(delayMs: number) {
    this.#targetMs = Math.max(0, delayMs);
  }

  get delayMs(): number {
    return this.#targetMs;
  }

  /** The face's time at a time of the page. */
  at(pageMs: number): number {
    const passedMs = pageMs - this.#readAtMs;
    const missingMs = this.#targetMs - this.#delayMs;
    this.#readAtMs = pageMs;
    const mostMs = slewShare * passedMs;
    if (!(passedMs >= 0) || Math.abs(missingMs) > jumpMs) this.#delayMs = this.#targetMs;
    else this.#delayMs += Math.min(Math.max(missingMs, -mostMs), mostMs);
    return (this.#nowMs = Math.max(this.#nowMs, pageMs - this.#delayMs));
  }
}
