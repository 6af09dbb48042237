import type * as growing from "./opening-player.ts";

const fadeMs = 120;

/**
 * Takes the place of `opening-player.ts` in the widget for conversations in writing: what grows there is the picture, and here the
 * panel fades in its place.
 */
export class OpeningPlayer implements Pick<growing.OpeningPlayer, keyof growing.OpeningPlayer> {
  #running: Animation | undefined;

  /** Resolves when the panel is there. */
  async open(shell: HTMLElement): Promise<void> {
    if (await this.#fade(shell, "normal")) this.stop();
  }

  /** Resolves with false when another motion has replaced it. */
  close(shell: HTMLElement): Promise<boolean> {
    return this.#fade(shell, "reverse");
  }

  /** The controls come with the panel. */
  showControls(): void {
    // Nothing to show later.
  }

  stop(): void {
    this.#running?.cancel();
  }

  async #fade(shell: HTMLElement, direction: PlaybackDirection): Promise<boolean> {
    this.stop();
    if (!("animate" in shell)) return true;
    const fade = (this.#running = shell.animate(
      { opacity: [0, 1] },
      { duration: fadeMs, direction, fill: "both" },
    ));
    return fade.finished.then(
      () => fade === this.#running,
      () => false,
    );
  }
}
