import type { PuppetParams } from "../../../puppet/index.ts";
import type { FrameRenderer, Size, StageRect } from "../../../stage/index.ts";
import type { Look, Painting } from "./look.ts";

/** The sides of its picture are multiples of this: then a small change of the frame needs no new pictures. */
const stepPx = 32;
const smallestPx = 96;
const largestPx = 1_024;
/** More pixels for each CSS pixel cannot be seen. */
const pixelRatioMax = 2;
/** A frame that changes its size needs new pictures only once it has settled. */
const settleMs = 250;

/** Shows a character on a stage, drawn here. */
export class LocalRenderer implements FrameRenderer {
  readonly kind = "local";
  readonly element = document.createElement("div");
  readonly #painting: Painting;
  /** The painting's one. */
  #canvas: HTMLCanvasElement;
  #wantedPx: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Nothing was seen of it yet. */
  #isNew = true;

  /** `framePx`: roughly the height of its frame, until the stage says it exactly. */
  constructor(look: Look, framePx: number) {
    this.#wantedPx = steppedSide(framePx * Math.min(pixelRatioMax, devicePixelRatio));
    this.#painting = look.paint(this.#wantedPx, () => this.#takeCanvas());
    this.#canvas = this.#painting.canvas;
    this.element.append(this.#canvas);
  }

  /** Draws a pose. */
  show(params: PuppetParams): void {
    this.#painting.draw(params);
    this.#isNew = false;
  }

  /** The video is not shown. */
  upload(): void {
    // Its frames may still arrive for a moment.
  }

  draw(size: Size, rect: StageRect): void {
    const { style } = this.#canvas;
    style.position = "absolute";
    for (const side of ["left", "top", "width", "height"] as const) {
      const wanted = `${rect[side] * 100}%`;
      if (style[side] !== wanted) style[side] = wanted;
    }
    const wantedPx = sideOf(rect, size);
    if (wantedPx === this.#wantedPx) return;
    this.#wantedPx = wantedPx;
    clearTimeout(this.#timer);
    if (this.#isNew) this.#resize();
    else this.#timer = setTimeout(() => this.#resize(), settleMs);
  }

  destroy(): void {
    clearTimeout(this.#timer);
    this.#painting.destroy();
  }

  #resize(): void {
    this.#painting.resize(this.#wantedPx);
    if (this.#painting.canvas !== this.#canvas) this.#takeCanvas();
  }

  #takeCanvas(): void {
    const { canvas } = this.#painting;
    canvas.style.cssText = this.#canvas.style.cssText;
    this.#canvas.replaceWith(canvas);
    this.#canvas = canvas;
  }
}

/** The side of the square picture for its place on a stage of `size` device pixels. */
function sideOf(rect: StageRect, size: Size): number {
  return steppedSide(rect.height * size.height * Math.min(1, pixelRatioMax / devicePixelRatio));
}

function steppedSide(px: number): number {
  const side = Math.ceil(px / stepPx) * stepPx;
  return Math.min(Math.max(side, smallestPx), largestPx);
}

/** Time over which costs are summed up, in ms. */
const windowMs = 2_000;
/** The share of the main thread that drawing may take: where the browser may choose, and where it must draw. */
const allowedShare = 0.3;
const extremeShare = 0.8;
/** The video has so many frames a second. Where fewer are shown, the GPU is slow: the main thread knows nothing of that. */
const fewestPerSec = 25;
/** Nobody should have to look at fewer. */
const extremePerSec = 8;
/** After so many windows in a row the service draws. An extreme one is enough. */
const windows = 2;

/** What is measured before anything is shown. The first frames make pictures that the others use. */
const warmFrames = 3;
const measuredFrames = 9;
/** The page has its turn after so much work, in ms. */
const sliceMs = 6;
/** The longest a usual frame of a moving head may take, in ms. */
const frameLimitMs = 8;

/** Tells whether drawing in this browser costs too much of the page's time. */
export class DrawingCost {
  #startMs = Number.NaN;
  #costMs = 0;
  #shown = 0;
  #dear = 0;

  /** Whether frames like these cost too much. `draw` gets how far the head is turned; `pause` is awaited after some work. */
  static async isTooMuch(draw: (turn: number) => void, pause: () => Promise<void>): Promise<boolean> {
    let slow = 0;
    let sinceMs = -Infinity;
    for (let i = 0; i < warmFrames + measuredFrames; i++) {
      if (performance.now() - sinceMs > sliceMs) {
        await pause();
        sinceMs = performance.now();
      }
      const startMs = performance.now();
      draw(Math.sin(i / 3) * 0.3);
      if (i < warmFrames) continue;
      if (performance.now() - startMs > frameLimitMs) slow++;
      // More than half of the frames: the others would change nothing.
      if (slow > measuredFrames / 2) return true;
    }
    return false;
  }

  /**
   * Adds a frame's cost, and how many the browser has shown since the frame before. Returns whether they have cost too much, or were too
   * few, for some time. `mayBeSlow`: only an extreme cost is too much.
   */
  add(costMs: number, nowMs: number, shown: number, mayBeSlow?: boolean): boolean {
    const elapsedMs = nowMs - this.#startMs;
    // Without frames for long, the page was hidden: nothing follows from that.
    if (!(elapsedMs < 2 * windowMs)) {
      this.#startMs = nowMs;
      this.#costMs = costMs;
      this.#shown = 0;
      return false;
    }
    this.#costMs += costMs;
    this.#shown += shown;
    if (elapsedMs < windowMs) return false;
    const [share, perSec] = [this.#costMs / elapsedMs, (this.#shown / elapsedMs) * 1_000];
    const isExtreme = share > extremeShare || perSec < extremePerSec;
    const isDear = mayBeSlow ? share > extremeShare : share > allowedShare || perSec < fewestPerSec;
    this.#dear = isDear ? this.#dear + (isExtreme && !mayBeSlow ? windows : 1) : 0;
    this.#startMs = nowMs;
    this.#costMs = this.#shown = 0;
    return this.#dear >= windows;
  }
}
