/** A size in pixels. */
export interface PictureSize {
  width: number;
  height: number;
}

/** Step and limits of the side of a packed picture, in pixels. The encoder works in blocks of 16. */
const step = 16;
const smallest = 256;
const largest = 768;

/** The side of the square packed picture for a stage of this height (device pixels): the avatar is as high as its stage. */
export function pictureSizeFor(heightPx: number): number {
  return Math.max(smallest, Math.min(largest, Math.ceil(heightPx / step) * step));
}

/** Limits of a finished picture: its sides, and its area, which determines the cost of drawing and encoding. */
const leastSide = 64;
const longestSide = 1_280;
const largestArea = 1_280 * 720;

/** The size of a finished picture until its client requests one. */
export const defaultFrameSize: PictureSize = { width: 960, height: 540 };

/**
 * The size of a finished picture for the size that a client requests, in even numbers. Sizes outside the limits are scaled
 * down or up with their aspect ratio. A side is clamped to its limit only if no size of that aspect ratio fits.
 */
export function frameSizeFor({ width, height }: PictureSize): PictureSize {
  const down = Math.min(1, longestSide / Math.max(width, height), Math.sqrt(largestArea / (width * height)));
  const up = Math.max(1, leastSide / Math.min(width, height));
  const scale = down < 1 ? down : up;
  const even = (side: number, round: (value: number) => number): number =>
    Math.max(leastSide, Math.min(longestSide, round((side * scale) / 2) * 2));
  // After scaling down, rounding must not exceed the limit.
  const round = down < 1 ? Math.floor : Math.round;
  return { width: even(width, round), height: even(height, round) };
}
