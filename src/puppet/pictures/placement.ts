import type { Matrix } from "./affine.ts";
import type { Canvas2D, CanvasLike } from "../canvas.ts";
import { contextOf } from "../canvas.ts";
import type { PixelBox } from "./pixel-box.ts";
import { boxAround } from "./pixel-box.ts";
import type { RunPicture } from "./run-pictures.ts";

/** When no corner moves by more than this many pixels, the picture is not moved: an unmoved picture is much cheaper. */
const stillPx = 0.06;

type Corners = readonly (readonly [x: number, y: number])[];

/** A cached picture of a run, and where it is in a frame. */
export class Placement {
  /** The box of the whole picture that it may cover. */
  readonly area: PixelBox;
  readonly #corners: Corners;
  /** How the picture is moved, if it is. */
  readonly matrix: Matrix | undefined;
  /** Whether the placement before it was drawn more than once: then this one is likely to stay as well. */
  readonly #followsStay: boolean;
  #timesDrawn = 0;
  /** The transformed picture in `area`, once it has stayed there. Copying it is many times cheaper than another transform. */
  #settled: CanvasLike | undefined;

  constructor(
    readonly picture: RunPicture,
    matrix: Matrix | undefined,
    sizePx: number,
    before: Placement | undefined,
  ) {
    this.#followsStay = before !== undefined && before.#timesDrawn > 1;
    const resting = cornersOf(picture.box, undefined);
    const corners = cornersOf(picture.box, matrix);
    this.matrix = areNear(resting, corners) ? undefined : matrix;
    this.#corners = this.matrix ? corners : resting;
    this.area = boxAround(this.#corners, sizePx);
  }

  /** Whether it looks the same as another. */
  isLike(other: Placement): boolean {
    return this.picture === other.picture && areNear(this.#corners, other.#corners);
  }

  /**
   * Draws it on a context whose origin is at `x`, `y` of the picture. The transform of the context is undefined afterwards.
   * `canvasFor` returns an empty canvas of at least the given size.
   */
  paste(ctx: Canvas2D, x: number, y: number, canvasFor: (size: PixelBox) => CanvasLike): void {
    const stays = this.#followsStay || this.#timesDrawn > 0;
    this.#timesDrawn++;
    if (this.matrix && stays) this.#settled ??= this.#settle(canvasFor(this.area));
    if (this.#settled) {
      ctx.setTransform(...identity);
      ctx.drawImage(this.#settled, this.area.x - x, this.area.y - y);
    } else this.#draw(ctx, x, y);
  }

  #settle(canvas: CanvasLike): CanvasLike {
    this.#draw(contextOf(canvas), this.area.x, this.area.y);
    return canvas;
  }

  #draw(ctx: Canvas2D, left: number, top: number): void {
    const { canvas, box } = this.picture;
    const [a, b, c, d, e, f] = this.matrix ?? identity;
    ctx.setTransform(a, b, c, d, e - left, f - top);
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
