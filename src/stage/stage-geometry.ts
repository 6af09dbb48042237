import type { MatteMode } from "./matte.ts";

/** A rectangle in fractions of the frame: `left` and `width` of its width, `top` and `height` of its height. */
export interface StageRect {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface Size {
  width: number;
  height: number;
}

/** Where the avatar stands in its frame (product contract, The stage). */
export interface Placement {
  /** Offset of the centre from the middle, in frame widths. */
  paddingLeft: number;
  /** Top edge, in frame heights. */
  paddingTop: number;
  /** Height, in frame heights. */
  paddingHeight: number;
}

const isEmpty = ({ width, height }: Size): boolean => width <= 0 || height <= 0;

/** Size of the picture that a video frame carries: of packed alpha only the upper half is picture. */
export function pictureSize(video: Size, matte: MatteMode): Size {
  return matte === "packed-alpha" ? { width: video.width, height: video.height / 2 } : video;
}

/**
 * The avatar's box in a frame: of the picture's own aspect, at `paddingHeight` 1 as high as the frame, hung at the
 * centre of its top edge. Without a matte the picture is finished and covers the frame, cut where it is too wide or
 * too high.
 */
export function avatarRect(frame: Size, picture: Size, matte: MatteMode, placement: Placement): StageRect {
  if (isEmpty(frame) || isEmpty(picture)) return { left: 0, top: 0, width: 1, height: 1 };
  const aspect = picture.width / picture.height / (frame.width / frame.height);
  if (matte === "none") {
    const height = Math.max(1, 1 / aspect);
    const width = height * aspect;
    return { left: (1 - width) / 2, top: (1 - height) / 2, width, height };
  }
  const height = placement.paddingHeight;
  const width = height * aspect;
  return { left: 0.5 + placement.paddingLeft - width / 2, top: placement.paddingTop, width, height };
}
