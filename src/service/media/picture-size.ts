/** Sides of the picture that are offered, in pixels. The encoder works in blocks of 16. */
const step = 16;
const smallest = 256;
const largest = 768;

/** The side of the square picture for a stage of this height (device pixels): the avatar is as high as its stage. */
export function pictureSizeFor(heightPx: number): number {
  return Math.max(smallest, Math.min(largest, Math.ceil(heightPx / step) * step));
}
