import type { Stage } from "../../stage/index.ts";
import { FrameBudget } from "./frame-budget.ts";

/** What the quality changes besides the stage. */
export interface PictureOutlet {
  /** Pixels of the video for each pixel of the screen. */
  setScale(scale: number): void;
}

/**
 * Draws fewer and smaller frames, and finally none, where drawing them takes too much of the page's time; and more again when there
 * is room. The host's attribute `data-picture` names a quality that is not the full one. Comes with the controls.
 */
export class PictureQuality {
  readonly #budget = new FrameBudget();
  readonly #host: HTMLElement;
  readonly #stage: Stage;
  readonly #outlet: PictureOutlet;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: HTMLElement, stage: Stage, outlet: PictureOutlet) {
    this.#host = host;
    this.#stage = stage;
    this.#outlet = outlet;
    stage.onFrame = (draw) => {
      const startMs = performance.now();
      if (!this.#budget.isDue(startMs)) return;
      draw();
      const nowMs = performance.now();
      if (this.#budget.add(nowMs - startMs, nowMs)) this.#apply();
    };
  }

  /** Draws again as many pixels as the screen has now. */
  refresh(): void {
    this.#outlet.setScale(this.#budget.quality.scale);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#host.removeAttribute("data-picture");
  }

  #apply(): void {
    const { quality, pauseMs } = this.#budget;
    const { name, scale } = quality;
    if (name === "full") this.#host.removeAttribute("data-picture");
    else this.#host.setAttribute("data-picture", name);
    this.#stage.setOptions({ scale, still: name === "still" });
    this.#outlet.setScale(scale);
    // The same switch as for the client's log.
    // eslint-disable-next-line no-console -- the parameter is there to write to the console
    if (/[?&]visavis-debug\b/.test(location.search)) console.debug(`[visavis] picture: ${name}`);
    if (pauseMs !== null)
      this.#timer = setTimeout(() => {
        this.#budget.retry();
        this.#apply();
      }, pauseMs);
  }
}
