import type { PixelPatch } from "./pixel-patch.ts";
import { wrtc } from "./wrtc.ts";

/** Where conversions write, by length: the library takes whole buffers only. What is in them is copied at once. */
const conversions = new Map<number, Uint8ClampedArray>();

/** Buffers that are kept; pictures of one size need few. */
const conversionsMax = 64;

/** A patch as planar 4:2:0, valid until the next is converted. Its sides are even and its pixels own their ArrayBuffer. */
export function toI420({ rgba, width, height }: Omit<PixelPatch, "box">): Uint8ClampedArray {
  const length = width * height * 1.5;
  if (conversions.size >= conversionsMax && !conversions.has(length)) conversions.clear();
  const data = conversions.get(length) ?? new Uint8ClampedArray(length);
  conversions.set(length, data);
  const pixels = new Uint8ClampedArray(rgba.buffer, rgba.byteOffset, rgba.byteLength);
  wrtc.nonstandard.rgbaToI420({ width, height, data: pixels }, { width, height, data });
  return data;
}
