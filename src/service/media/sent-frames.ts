/** So many frames are sent at the beginning, whether they differ or not: the first key frame is coarse, and is refined by them. */
const beginning = 50;

/**
 * A frame that is the same as the one before is sent if it is this many frames after the last one that was sent, 120 ms. Browsers
 * count gaps of 190 ms as a frozen picture, and what was lost last is only missed when something follows it.
 */
const longestGap = 3;

/** Chooses the frames of a session that are sent. Those of a resting face are mostly equal. */
export class SentFrames {
  #toBeginning = beginning;
  #gap = 0;

  /** A receiver begins to see the video. */
  begin(): void {
    this.#toBeginning = beginning;
  }

  /** Whether the next frame is sent. Call it once for each frame. `isStill`: it is the same as the one before. */
  take(isStill: boolean): boolean {
    this.#gap++;
    if (isStill && this.#toBeginning === 0 && this.#gap < longestGap) return false;
    this.#gap = 0;
    this.#toBeginning = Math.max(0, this.#toBeginning - 1);
    return true;
  }
}
