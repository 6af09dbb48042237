import type { PixelBox } from "../../puppet/index.ts";

/** Pixels of premultiplied RGBA in rows of `width`; those of the box are its upper left, the others are nobody's. */
export interface PixelPatch {
  rgba: Uint8Array;
  width: number;
  height: number;
  /** Where it lies on the picture. */
  box: PixelBox;
}
