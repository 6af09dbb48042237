import type { Matte } from "./matte.ts";
import type { Size, StageRect } from "./stage-geometry.ts";

/** Removes the matte from video frames and draws them. */
export interface FrameRenderer {
  readonly kind: "webgl2" | "2d" | "video" | "local";
  /** The element that shows the result; it fills the stage. */
  readonly element: HTMLElement;
  /** Copies the video's current frame. */
  upload(video: HTMLVideoElement, matte: Matte): void;
  /** Draws the last uploaded frame; `size` is in device pixels. */
  draw(size: Size, rect: StageRect, matte: Matte): void;
  destroy(): void;
}

/** Resizes a canvas if needed. Setting a size clears the canvas, so an equal size is not set again. */
export function fit(canvas: HTMLCanvasElement, { width, height }: Size): void {
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
}
