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
