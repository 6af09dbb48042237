import { smooth } from "../photo/numbers.ts";

/** So much of the picture's side fades out on the left and on the right. */
const fadedShare = 0.06;

/** The columns of a square picture that have something of the photograph: the square may be wider. */
export interface Columns {
  readonly from: number;
  readonly to: number;
}

/** How much is left of column `x`: what reaches the sides of a photograph fades out there, for a straight edge would be seen. */
export const sideFade = (x: number, size: number, { from, to }: Columns = { from: 0, to: size }): number =>
  smooth(0, fadedShare, Math.min(x - from, to - 1 - x) / size);
