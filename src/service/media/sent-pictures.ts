import { SentFrames } from "./sent-frames.ts";
import type { VideoFrame } from "./wrtc.ts";

/** What pictures need from their session. */
export interface SentPicturesOptions {
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
