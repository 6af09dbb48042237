import type { Character, PuppetEnvironment, PuppetParams } from "../../../puppet/index.ts";
import { createPuppetRenderer, PoseHold, type PuppetRenderer } from "../../../puppet/index.ts";
import type { FrameRenderer, Size, StageRect } from "../../../stage/index.ts";

/** The sides of its picture are multiples of this: then a small change of the frame needs no new pictures. */
const stepPx = 32;
const smallestPx = 96;
const largestPx = 1_024;
/** More pixels for each CSS pixel cannot be seen. */
const pixelRatioMax = 2;
/** A frame that changes its size needs new pictures only once it has settled. */
const settleMs = 250;

const environment: PuppetEnvironment<HTMLCanvasElement> = {
  Path2D,
  createCanvas: (width, height) => Object.assign(document.createElement("canvas"), { width, height }),
};

interface Drawing {
  readonly size: number;
  readonly renderer: PuppetRenderer<HTMLCanvasElement>;
  readonly hold: PoseHold;
}

/** Shows a character on a stage, drawn here. */
export class LocalRenderer implements FrameRenderer {
  readonly kind = "local";
  readonly element = document.createElement("div");
  readonly #character: Character;
  #drawing: Drawing;
  #wantedPx: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Nothing was seen of it yet. */
  #isNew = true;

  /** `framePx`: roughly the height of its frame, until the stage says it exactly. */
  constructor(character: Character, framePx: number) {
    this.#character = character;
    this.#wantedPx = steppedSide(framePx * Math.min(pixelRatioMax, devicePixelRatio));
    this.#drawing = this.#newDrawing();
    this.#drawing.renderer.draw();
    this.element.append(this.#drawing.renderer.canvas);
  }

  /** Draws a pose. */
  show(params: PuppetParams): void {
    const { renderer, hold } = this.#drawing;
    renderer.draw(hold.hold(params));
    this.#isNew = false;
  }

  /** The video is not shown. */
  upload(): void {
    // Its frames may still arrive for a moment.
  }

  draw(size: Size, rect: StageRect): void {
    const { style } = this.#drawing.renderer.canvas;
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
    const { canvas } = this.#drawing.renderer;
    canvas.width = canvas.height = 0;
  }

  #newDrawing(): Drawing {
    const size = this.#wantedPx;
    const renderer = createPuppetRenderer(this.#character, environment, { size });
    return { size, renderer, hold: new PoseHold(this.#character, size) };
  }

  #resize(): void {
    const before = this.#drawing.renderer.canvas;
    if (this.#wantedPx === this.#drawing.size) return;
    this.#drawing = this.#newDrawing();
    const { canvas, draw } = this.#drawing.renderer;
    draw();
    canvas.style.cssText = before.style.cssText;
    before.replaceWith(canvas);
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
