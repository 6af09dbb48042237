import type { PixelBox } from "../../puppet/index.ts";

/** Premultiplied RGBA pixels in rows of `width`. The box is at the upper left; all other pixels are undefined. */
export interface PixelPatch {
  rgba: Uint8Array;
  width: number;
  height: number;
  /** Position and size in the picture. */
  box: PixelBox;
}
