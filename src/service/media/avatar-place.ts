import type { Paddings } from "../../protocol/stage-settings.ts";
import { avatarRect } from "../../stage/stage-geometry.ts";
import type { PictureSize } from "./picture-size.ts";

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
