import type { VideoFrame } from "../wrtc.ts";

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

/** What pictures need from their session. */
interface SentPicturesOptions {
  /** Whether the client is connected. */
  isSeen(): boolean;
  /** The picture of this moment; undefined if there is none, or if the client watches none. */
  draw(): VideoFrame | undefined;
  /** Whether the picture that was drawn last is the same as the one before, and nothing is spoken. */
  isStill(): boolean;
  send(frame: VideoFrame): void;
}

/** Decides at which ticks of the clock a picture is drawn, and which pictures are sent. */
export class SentPictures {
  readonly #options: SentPicturesOptions;
  readonly #frames = new SentFrames();
  #hasPicture = false;
  /** A picture was due when there was no time for it. */
  #isOwed = false;

  constructor(options: SentPicturesOptions) {
    this.#options = options;
  }

  /**
   * A tick of the clock. A missing picture is hardly visible, but a gap in the voice is audible: while the clock catches up (`isLate`), a
   * picture waits. It is shown as soon as there is time, and shows the mouth of that moment.
   */
  tick(isDue: boolean, isLate: boolean): void {
    const isWanted = isDue || this.#isOwed;
    this.#isOwed = isWanted && isLate;
    // Before the connection, one picture is enough: it waits in the encoder, and drawing more would delay the connection.
    if (isWanted && !isLate && (this.#options.isSeen() || !this.#hasPicture)) this.#show();
  }

  /** Sends the picture of this moment, and all of the next ones: the client begins to see them. */
  begin(): void {
    this.#frames.begin();
    this.#show();
  }

  /** Sends the picture of this moment, unless the client has it already. */
  #show(): void {
    const frame = this.#options.draw();
    if (!frame) return;
    this.#hasPicture = true;
    if (this.#frames.take(this.#options.isStill())) this.#options.send(frame);
  }
}
