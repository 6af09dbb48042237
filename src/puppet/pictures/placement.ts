import type { Matrix } from "./affine.ts";
import type { Canvas2D, CanvasLike } from "../canvas.ts";
import { contextOf } from "../canvas.ts";
import type { PixelBox } from "./pixel-box.ts";
import { boxAround } from "./pixel-box.ts";
import type { RunPicture } from "./run-pictures.ts";

/** A move of no corner by more than this many pixels is not made: standing still is much cheaper. */
const stillPx = 0.06;

type Corners = readonly (readonly [x: number, y: number])[];

/** A picture of a run where a frame shows it. */
export class Placement {
  /** What it can mark of a picture of this size. */
  readonly area: PixelBox;
  readonly #corners: Corners;
  readonly #matrix: Matrix | undefined;
  #wasPasted = false;
  /** The picture as it lies in `area`, once it has stayed there: pasting that is many times cheaper than moving it again. */
  #settled: CanvasLike | undefined;

  constructor(
    readonly picture: RunPicture,
    matrix: Matrix | undefined,
    sizePx: number,
  ) {
    const resting = cornersOf(picture.box, undefined);
    const corners = cornersOf(picture.box, matrix);
    this.#matrix = areNear(resting, corners) ? undefined : matrix;
    this.#corners = this.#matrix ? corners : resting;
    this.area = boxAround(this.#corners, sizePx);
  }

  /** Whether nobody could tell it from another. */
  isLike(other: Placement): boolean {
    return this.picture === other.picture && areNear(this.#corners, other.#corners);
  }

  /** Draws it; leaves `ctx` with any transform. `canvasFor` gives an empty canvas of at least a size. */
  paste(ctx: Canvas2D, canvasFor: (size: PixelBox) => CanvasLike): void {
    if (this.#matrix && this.#wasPasted) this.#settled ??= this.#settle(canvasFor(this.area));
    this.#wasPasted = true;
    if (this.#settled) {
      ctx.setTransform(...identity);
      ctx.drawImage(this.#settled, this.area.x, this.area.y);
    } else this.#draw(ctx, 0, 0);
  }

  #settle(canvas: CanvasLike): CanvasLike {
    this.#draw(contextOf(canvas), -this.area.x, -this.area.y);
    return canvas;
  }

  #draw(ctx: Canvas2D, shiftX: number, shiftY: number): void {
    const { canvas, box } = this.picture;
    const [a, b, c, d, e, f] = this.#matrix ?? identity;
    ctx.setTransform(a, b, c, d, e + shiftX, f + shiftY);
    ctx.drawImage(canvas, box.x, box.y);
  }
}

const identity: Matrix = [1, 0, 0, 1, 0, 0];

function cornersOf({ x, y, width, height }: PixelBox, matrix: Matrix | undefined): Corners {
  const corners: Corners = [
    [x, y],
    [x + width, y],
    [x, y + height],
    [x + width, y + height],
  ];
  if (!matrix) return corners;
  const [a, b, c, d, e, f] = matrix;
  return corners.map(([x, y]) => [a * x + c * y + e, b * x + d * y + f]);
}

function areNear(some: Corners, others: Corners): boolean {
  return some.every(([x, y], i) => {
    const [otherX, otherY] = others[i]!;
    return Math.abs(x - otherX) <= stillPx && Math.abs(y - otherY) <= stillPx;
  });
}
