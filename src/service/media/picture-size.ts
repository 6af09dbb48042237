/** A size in pixels. */
export interface PictureSize {
  width: number;
  height: number;
}

/** Sides of a packed picture that are offered, in pixels. The encoder works in blocks of 16. */
const step = 16;
const smallest = 256;
const largest = 768;

/** The side of the square packed picture for a stage of this height (device pixels): the avatar is as high as its stage. */
export function pictureSizeFor(heightPx: number): number {
  return Math.max(smallest, Math.min(largest, Math.ceil(heightPx / step) * step));
}

/** Limits of a finished picture: its sides, and its area, which is what drawing and encoding cost. */
const leastSide = 64;
const longestSide = 1_280;
const largestArea = 1_280 * 720;

/** What a finished picture measures until its client asks for a size. */
export const defaultFrameSize: PictureSize = { width: 960, height: 540 };

/**
 * The size of a finished picture for the size that a client asks for: that size in even numbers; larger ones are scaled down
 * into the limits and smaller ones up, in their own proportions. Only where no size of the proportions fits does a side
 * stop at its limit.
 */
export function frameSizeFor({ width, height }: PictureSize): PictureSize {
  const down = Math.min(1, longestSide / Math.max(width, height), Math.sqrt(largestArea / (width * height)));
  const up = Math.max(1, leastSide / Math.min(width, height));
  const scale = down < 1 ? down : up;
  const even = (side: number, round: (value: number) => number): number =>
    Math.max(leastSide, Math.min(longestSide, round((side * scale) / 2) * 2));
  // What is scaled down must not come out above its limit.
  const round = down < 1 ? Math.floor : Math.round;
  return { width: even(width, round), height: even(height, round) };
}
