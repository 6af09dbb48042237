import type { Paddings } from "../../protocol/stage-settings.ts";
import { avatarRect } from "../../stage/stage-geometry.ts";
import type { PictureSize } from "./picture-size.ts";

/** Where the avatar's square picture stands in a frame; pixels. */
export interface AvatarPlace {
  left: number;
  top: number;
  /** Side that it has in the frame; 0 where it is not to be seen. */
  side: number;
  /** Side that it is drawn with, a multiple of 8; another than `side` where it is scaled. */
  drawn: number;
}

/** Sides that a character is drawn with: its kept layers and its patches grow with the square of it. */
const smallestDrawn = 64;
const largestDrawn = 1_024;

/** Patches lie on multiples of this many pixels. */
const patchStep = 8;

/** The place of an avatar by its session's paddings: the geometry of the stage, on whole pixels. */
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
