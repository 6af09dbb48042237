import type { Matte } from "./matte.ts";
import type { Size, StageRect } from "./stage-geometry.ts";

/** Draws frames of a video, freed of their matte, into a frame. */
export interface FrameRenderer {
  readonly kind: "webgl2" | "2d" | "video";
  /** What shows the result; it fills the frame. */
  readonly element: HTMLElement;
  /** Takes the video's present frame. */
  upload(video: HTMLVideoElement, matte: Matte): void;
  /** Draws the frame taken last; `size` in device pixels. */
  draw(size: Size, rect: StageRect, matte: Matte): void;
  destroy(): void;
}

/** A canvas of the given size; setting a size clears, so only a new one is set. */
export function fit(canvas: HTMLCanvasElement, { width, height }: Size): void {
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
}
