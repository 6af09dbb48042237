import type { Paddings } from "../../../protocol/settings/stage-settings.ts";
import { avatarRect } from "../../../stage/stage-geometry.ts";

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

/** The position of the avatar's square picture in a frame; in pixels. */
export interface AvatarPlace {
  left: number;
  top: number;
  /** Its side in the frame; 0 if it is not visible. */
  side: number;
  /** The side at which it is drawn, a multiple of 8. It differs from `side` if the picture is scaled. */
  drawn: number;
}

/** Limits of the side at which a character is drawn. Memory for its layers and patches grows with the square of it. */
const smallestDrawn = 64;
const largestDrawn = 1_024;

/** Patches are aligned to this many pixels. */
const patchStep = 8;

/** The position of an avatar from its session's paddings, with the geometry of the stage, in whole pixels. */
export function avatarPlace(frame: PictureSize, paddings: Paddings): AvatarPlace {
  const rect = avatarRect(frame, { width: 1, height: 1 }, "packed-alpha", {
    paddingLeft: paddings.padding_left,
    paddingTop: paddings.padding_top,
    paddingHeight: paddings.padding_height,
  });
  // Rounded up, so that the bust reaches the lower edge; chroma has one value for 2 × 2 pixels.
  const side = Math.ceil((rect.height * frame.height) / patchStep) * patchStep;
  const centre = (rect.left + rect.width / 2) * frame.width;
  return {
    left: Math.round((centre - side / 2) / 2) * 2,
    top: Math.round((rect.top * frame.height) / 2) * 2,
    side,
    drawn: Math.max(smallestDrawn, Math.min(largestDrawn, side)),
  };
}
