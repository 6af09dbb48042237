import type { PixelBox, Placement } from "../../../puppet/index.ts";
import { overlap, steppedBox } from "../../../puppet/index.ts";
import type { VideoFrame } from "../wrtc.ts";
import { inverse } from "./inverse.ts";
import { PlaneCanvas } from "./plane-canvas.ts";
import type { Block, PlaneMemory } from "./plane-memory.ts";

/** The sides of frames, and the boxes in which they are drawn, are multiples of this many pixels. */
export const frameStep = 16;

/** A picture, and where a frame shows it. */
export type PlacedPicture = Pick<Placement, "picture" | "matrix" | "area">;

/**
 * One video frame of a session with packed alpha, as `PackedFrame`: the colours on black above, the matte as grey below. It is composed of
 * planes, so nothing is converted. Every picture reuses its buffer.
 */
export class PlaneFrame {
  readonly video: VideoFrame;
  readonly #size: number;
  readonly #memory: PlaneMemory;
  readonly #frame: Block;

  constructor(memory: PlaneMemory, size: number) {
    this.#size = size;
    this.#memory = memory;
    this.#frame = memory.take(size * size * 3);
    this.video = { width: size, height: size * 2, data: new Uint8Array(size * size * 3) };
    memory.kernel.clearBox(this.#frame.at, size, 0, 0, size, size);
    const lower = memory.bytes(this.#frame);
    const pixels = size * size;
    for (const chroma of [2.25, 2.75]) lower.fill(128, pixels * chroma, pixels * (chroma + 0.25));
    this.video.data.set(lower.subarray(0, pixels * 3));
  }

  /** Composes the pictures anew in a box. */
  compose(placements: readonly (PlacedPicture | undefined)[], changed: PixelBox): void {
    const box = steppedBox(changed, frameStep);
    const { kernel } = this.#memory;
    kernel.clearBox(this.#frame.at, this.#size, ...edges(box));
    for (const placement of placements)
      if (placement && overlap(placement.area, box)) this.#paste(placement, box);
    this.#copyRows(box.y, box.y + box.height);
  }

  /** Gives its memory back. */
  release(): void {
    this.#memory.give(this.#frame);
  }

  #paste({ picture: { canvas, box: place }, matrix, area }: PlacedPicture, box: PixelBox): void {
    if (!(canvas instanceof PlaneCanvas)) return;
    const { kernel } = this.#memory;
    const planes = canvas.planes(place);
    const part = edges(common(steppedBox(area, frameStep), box));
    if (!matrix) kernel.pasteStill(planes, this.#frame.at, this.#size, ...part);
    else {
      const back = inverse(matrix);
      if (back) kernel.pasteMoved(planes, this.#frame.at, this.#size, ...part, ...back);
    }
  }

  /** Copies whole rows: that takes four copies and not one for each row. The lower half's chroma never changes. */
  #copyRows(top: number, bottom: number): void {
    const source = this.#memory.bytes(this.#frame);
    const { data } = this.video;
    const pixels = this.#size ** 2;
    const copy = (from: number, to: number): void => data.set(source.subarray(from, to), from);
    const [first, end] = [top * this.#size, bottom * this.#size];
    copy(first, end);
    copy(pixels + first, pixels + end);
    copy(pixels * 2 + first / 4, pixels * 2 + end / 4);
    copy(pixels * 2.5 + first / 4, pixels * 2.5 + end / 4);
  }
}

function edges({ x, y, width, height }: PixelBox): [number, number, number, number] {
  return [x, y, x + width, y + height];
}

/** The part of two boxes that overlap. */
function common(a: PixelBox, b: PixelBox): PixelBox {
  const x = Math.max(a.x, b.x);
  const y = Math.max(a.y, b.y);
  const right = Math.min(a.x + a.width, b.x + b.width);
  const bottom = Math.min(a.y + a.height, b.y + b.height);
  return { x, y, width: right - x, height: bottom - y };
}
