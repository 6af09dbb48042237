import { prerollMaxMs } from "../../protocol/data-channel.ts";
import type { HeardAudio } from "./wrtc.ts";

const durationMs = ({ samples, channelCount, sampleRate }: HeardAudio): number =>
  (samples.length / channelCount / sampleRate) * 1_000;

/** The last half second of a microphone track, so that a recording can begin before the client asked for it. */
export class RecentAudio {
  #pieces: HeardAudio[] = [];

  take(heard: HeardAudio): void {
    this.#pieces.push(heard);
    // Pieces are about 10 ms long: this runs through the list once in half a second.
    if (this.#pieces.length > prerollMaxMs / 5) this.#pieces = this.last(prerollMaxMs);
  }

  /** The last `ms`, oldest first, in whole pieces. */
  last(ms: number): HeardAudio[] {
    let reachedMs = 0;
    const before = this.#pieces.findLastIndex((piece) => (reachedMs += durationMs(piece)) > ms);
    return this.#pieces.slice(before + 1);
  }

  clear(): void {
    this.#pieces = [];
  }
}
