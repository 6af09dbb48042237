import {
  type Canvas2D,
  type CanvasLike,
  type Character,
  type Matrix,
  overlap,
  type PixelBox,
  placedPictures,
  type Placement,
  type PuppetParams,
  steppedBox,
} from "../../../puppet/index.ts";
import type { DrawingCanvas } from "../pictures/drawing.ts";
import { type Block, PlaneMemory } from "./plane-memory.ts";
import type { VideoFrame } from "../wrtc.ts";
import { createCanvas, Path2D } from "@napi-rs/canvas";
import { hasPlaneKernel } from "./plane-kernel.ts";

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

/** Maps that shrink a picture to less than this share of its area show nothing. */
const leastArea = 1e-4;

/** The map back; undefined if nothing is seen of what it maps. */
export function inverse([a, b, c, d, e, f]: Matrix): Matrix | undefined {
  const area = a * d - b * c;
  if (!(Math.abs(area) > leastArea)) return undefined;
  return [d / area, -b / area, -c / area, a / area, (c * f - d * e) / area, (b * e - a * f) / area];
}

/** The sides of frames, and the boxes in which they are drawn, are multiples of this many pixels. */
const frameStep = 16;

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

/** The packed frames of one character in one size for one session. */
export interface PlanePicture {
  readonly video: VideoFrame;
  /** Draws a frame. Returns whether it differs from the one before. */
  draw(params: PuppetParams): boolean;
  /** Call it once when the picture is no longer needed. */
  release(): void;
}

/** Whether packed frames of this size can be composed of planes. */
export function canComposePlanes(size: number): boolean {
  return size % frameStep === 0 && hasPlaneKernel();
}

/**
 * Draws a character for many sessions. Parts of it are drawn as always, but kept as planes, from which each session's frames are composed.
 * Returns what makes the picture of a session; `onRelease` is called when that session needs it no more.
 */
export function planePictures(character: Character, size: number): (onRelease: () => void) => PlanePicture {
  const memory = new PlaneMemory();
  const { kernel } = memory;
  kernel.useScratch(memory.take(kernel.scratchBytes(size)).at, size);
  const easel = newEasel(memory);
  const shared = placedPictures(
    character,
    {
      Path2D,
      createCanvas: (width, height, unused) =>
        new PlaneCanvas(easel, width, height, unused instanceof PlaneCanvas ? unused : undefined),
    },
    { size },
  );
  return (onRelease) => {
    const placed = shared.sibling();
    const frame = new PlaneFrame(memory, size);
    return {
      video: frame.video,
      draw(params) {
        const changed = placed.place(params);
        if (changed) frame.compose(placed.placements, changed);
        return changed !== undefined;
      },
      release() {
        frame.release();
        onRelease();
      },
    };
  };
}

/** Canvases by their size. There are few: only what a frame draws anew is on one. */
function newEasel(memory: PlaneMemory): Easel {
  const canvases = new Map<string, DrawingCanvas[]>();
  const shelf = (width: number, height: number): DrawingCanvas[] => {
    const key = `${width} ${height}`;
    const known = canvases.get(key) ?? [];
    canvases.set(key, known);
    return known;
  };
  return {
    memory,
    take: (width, height) => shelf(width, height).pop() ?? createCanvas(width, height),
    give: (canvas) => void shelf(canvas.width, canvas.height).push(canvas),
  };
}
