import type { MediaPlayer } from "../link/media-player.ts";
import { fadeOut } from "../speech/fade-out.ts";

/**
 * Plays one sentence after the other in the session's own element. The visitor's gesture has allowed that element to play, and no
 * other; the visitor's volume and loudspeaker are set there too.
 */
export class SentencePlayer {
  readonly #player: MediaPlayer;
  #address = "";
  #startedAtMs = 0;
  /** Ends the wait for the present sentence. */
  #settle: ((isOver: boolean) => void) | null = null;
  #fading: Promise<void> = Promise.resolve();

  constructor(player: MediaPlayer) {
    this.#player = player;
  }

  /** How much later than at its start's notice the present sentence is heard, in ms; 0 while there is none. */
  get lagMs(): number {
    if (!this.#settle || !this.#startedAtMs) return 0;
    return performance.now() - this.#startedAtMs - this.#player.element.currentTime * 1_000;
  }

  /**
   * Plays a sentence, unless the signal has aborted before it can begin; `handleStart` gets its length in ms. Resolves at its end or when
   * it is stopped. Rejects when the browser cannot play it.
   */
  async play(audio: Blob, signal: AbortSignal, handleStart: (durationMs: number) => void): Promise<void> {
    await this.#fading;
    if (signal.aborted) return;
    const { element } = this.#player;
    this.#startedAtMs = 0;
    element.srcObject = null;
    element.src = this.#address = URL.createObjectURL(audio);
    const over = this.#untilOver(() => {
      // It begins only once, also if it pauses in between.
      if (this.#startedAtMs) return;
      this.#startedAtMs = performance.now() - element.currentTime * 1_000;
      handleStart(element.duration * 1_000);
    });
    void this.#player.play();
    try {
      if (!(await over)) throw new Error(element.error?.message ?? "The sound cannot be played.");
    } finally {
      URL.revokeObjectURL(this.#address);
    }
  }

  /** Pauses the present sentence, or lets it go on. */
  hold(isHeld: boolean): void {
    if (!this.#settle) return;
    if (isHeld) this.#player.element.pause();
    else void this.#player.play();
  }

  /** Ends the present sentence; it fades out. */
  stop(): void {
    const { element } = this.#player;
    if (!this.#settle) return;
    this.#fading = new Promise((resolve) => {
      const restore = fadeOut({ element, volume: element.volume }, () => {
        element.pause();
        restore();
        resolve();
      });
    });
    this.#settle(true);
  }

  #untilOver(handlePlaying: () => void): Promise<boolean> {
    const { element } = this.#player;
    const listening = new AbortController();
    const { signal } = listening;
    return new Promise((resolve) => {
      this.#settle = (isOver) => {
        this.#settle = null;
        listening.abort();
        resolve(isOver);
      };
      element.addEventListener("playing", handlePlaying, { signal });
      element.addEventListener("ended", () => this.#settle?.(true), { signal });
      element.addEventListener("error", () => this.#settle?.(false), { signal });
    });
  }
}
