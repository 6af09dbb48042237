import { toI420 } from "./i420.ts";
import type { PixelPatch } from "./pixel-patch.ts";
import type { VideoFrame } from "./wrtc.ts";

interface Plane {
  /** Offset of the first byte. */
  start: number;
  /** Bytes per row. */
  row: number;
}

/** The three planes of a picture. One byte of a chroma plane covers 2 × 2 pixels. */
function planesOf(width: number, height: number): (Plane & { scale: 1 | 2 })[] {
  const luma = width * height;
  return [
    { start: 0, row: width, scale: 1 },
    { start: luma, row: width / 2, scale: 2 },
    { start: luma * 1.25, row: width / 2, scale: 2 },
  ];
}

/** One video frame of a finished picture. Every picture reuses its buffer. All sizes and positions are even. */
export class FinishedFrame {
  readonly video: VideoFrame;

  /** Starts as a copy of `backdrop`, the picture behind the avatar: planar 4:2:0 of this size. */
  constructor(width: number, height: number, backdrop: Uint8Array) {
    this.video = { width, height, data: Uint8Array.from(backdrop) };
  }

  /** Writes opaque pixels at the position of their box. Parts outside the frame are cut off. */
  put(patch: PixelPatch): void {
    const { width, height, data } = this.video;
    const { box } = patch;
    const [left, top] = [Math.max(0, box.x), Math.max(0, box.y)];
    const [right, bottom] = [Math.min(width, box.x + box.width), Math.min(height, box.y + box.height)];
    if (left >= right || top >= bottom) return;
    const source = toI420(patch);
    const from = planesOf(patch.width, patch.height);
    for (const [index, { start, row, scale }] of planesOf(width, height).entries()) {
      const plane = from[index]!;
      const length = (right - left) / scale;
      for (let y = top / scale; y < bottom / scale; y++) {
        const at = plane.start + (y - box.y / scale) * plane.row + (left - box.x) / scale;
        data.set(source.subarray(at, at + length), start + y * row + left / scale);
      }
    }
  }
}
