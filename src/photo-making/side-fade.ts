import { smooth } from "../photo/numbers.ts";

/** So much of the picture's side fades out on the left and on the right. */
const fadedShare = 0.06;

/** How much is left of column `x`: what reaches the sides of a picture fades out there, for a straight edge would be seen. */
export const sideFade = (x: number, size: number): number =>
  smooth(0, fadedShare, Math.min(x, size - 1 - x) / size);
