import type { PixelBox } from "../../../puppet/index.ts";
import { wrtc } from "../wrtc.ts";

/** Premultiplied RGBA pixels in rows of `width`. The box is at the upper left; all other pixels are undefined. */
export interface PixelPatch {
  rgba: Uint8Array;
  width: number;
  height: number;
  /** Position and size in the picture. */
  box: PixelBox;
}

/** Output buffers by length, because the library takes only whole buffers. Callers copy the content at once. */
const conversions = new Map<number, Uint8ClampedArray>();

/** The most buffers that are kept; pictures of one size need only a few. */
const conversionsMax = 64;

/** Converts a patch to planar 4:2:0; valid until the next call. Its sides are even, and its pixels own their ArrayBuffer. */
export function toI420({ rgba, width, height }: Omit<PixelPatch, "box">): Uint8ClampedArray {
  const length = width * height * 1.5;
  if (conversions.size >= conversionsMax && !conversions.has(length)) conversions.clear();
  const data = conversions.get(length) ?? new Uint8ClampedArray(length);
  conversions.set(length, data);
  const pixels = new Uint8ClampedArray(rgba.buffer, rgba.byteOffset, rgba.byteLength);
  wrtc.nonstandard.rgbaToI420({ width, height, data: pixels }, { width, height, data });
  return data;
}
