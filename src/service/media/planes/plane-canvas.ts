import type { Canvas2D, CanvasLike } from "../../../puppet/index.ts";
import type { DrawingCanvas } from "../character-picture.ts";
import type { Block, PlaneMemory } from "./plane-memory.ts";

/** The columns of planes are multiples of this. */
const columns = 16;

/** Where drawings are made until they become planes. */
export interface Easel {
  readonly memory: PlaneMemory;
  /** A canvas of this size. */
  take(width: number, height: number): DrawingCanvas;
  /** Takes a canvas back. */
  give(canvas: DrawingCanvas): void;
}

/** A canvas that keeps its picture as the planes of video. It can be drawn on at any time, but its pixels cannot be read. */
export class PlaneCanvas implements CanvasLike {
  readonly #easel: Easel;
  #drawn: DrawingCanvas | undefined;
  #planes: Block | undefined;

  /** `unused` is another one that is needed no more. */
  constructor(
    easel: Easel,
    readonly width: number,
    readonly height: number,
    unused?: PlaneCanvas,
  ) {
    this.#easel = easel;
    if (unused) unused.#drop();
  }

  getContext(): Canvas2D {
    this.#drawn ??= this.#easel.take(this.width, this.height);
    return this.#drawn.getContext("2d");
  }

  /** Where its planes are in memory. The picture's upper left is at `x`, `y` of the frame, the same at each call after a drawing. */
  planes({ x, y }: { readonly x: number; readonly y: number }): number {
    if (this.#drawn) {
      this.#planes = this.#split(this.#drawn, x, y);
      this.#easel.give(this.#drawn);
      this.#drawn = undefined;
    }
    if (!this.#planes) throw new Error("Nothing was drawn on this canvas.");
    return this.#planes.at;
  }

  #split(drawn: DrawingCanvas, x: number, y: number): Block {
    const { kernel } = this.#easel.memory;
    // Chroma has one value for 2 × 2 pixels of the frame.
    const [shiftX, shiftY] = [x & 1, y & 1];
    const width = Math.ceil((this.width + shiftX) / columns) * columns;
    const height = 2 * Math.ceil((this.height + shiftY) / 2);
    const { memory } = this.#easel;
    // Large enough for any place, so that it can be used again.
    const planes = this.#planes ?? memory.take(kernel.pictureBytes(this.width + columns, this.height + 2));
    const rgba = drawn.data();
    const pixels = memory.take(rgba.length);
    memory.bytes(pixels).set(rgba);
    kernel.split(
      ...([planes.at, width, height, x - shiftX, y - shiftY] as const),
      ...([pixels.at, this.width, this.height, shiftX, shiftY] as const),
    );
    memory.give(pixels);
    return planes;
  }

  #drop(): void {
    if (this.#planes) this.#easel.memory.give(this.#planes);
    if (this.#drawn) this.#easel.give(this.#drawn);
    this.#planes = this.#drawn = undefined;
  }
}
