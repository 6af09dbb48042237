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

/** The position of the avatar in its frame (product contract, The stage). */
export interface Placement {
  /** Offset of the centre from the middle, in frame widths. */
  paddingLeft: number;
  /** Top edge, in frame heights. */
  paddingTop: number;
  /** Height, in frame heights. */
  paddingHeight: number;
}

const isEmpty = ({ width, height }: Size): boolean => width <= 0 || height <= 0;

/** Size of the picture in a video frame. With packed alpha, only the upper half is the picture. */
export function pictureSize(video: Size, matte: MatteMode): Size {
  return matte === "packed-alpha" ? { width: video.width, height: video.height / 2 } : video;
}

/**
 * The avatar's box in a frame. It has the aspect ratio of the picture, is `paddingHeight` frame heights high, and is
 * positioned by the centre of its top edge. Without a matte the picture has its own background and covers the frame;
 * what is too wide or too high is cut off.
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
