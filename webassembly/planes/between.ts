import { eight } from "./lanes";

/**
 * Values between neighbours, for eight columns at once. The place of the first column is given in parts of 2 ** 16, with the slope by
 * which the others are apart from where they would be without a slope. Within eight columns, that is less than a pixel.
 */

/** How far the slope brings each column; 2 ** 14 is a pixel. */
@inline
export function fanOf(slope: i32): v128 {
  return i16x8.mul(i16x8.splat(<i16>(slope >> 2)), i16x8(0, 1, 2, 3, 4, 5, 6, 7));
}

/** The places of the columns; 2 ** 14 is a pixel. */
@inline
export function placesOf(fraction: i32, fan: v128): v128 {
  return i16x8.add(i16x8.splat(<i16>(fraction >> 2)), fan);
}

/** How much of the farther neighbour each column has, of 128. */
@inline
export function weightsOf(places: v128): v128 {
  return i16x8.shr_u(v128.and(places, i16x8.splat(16383)), 7);
}

/** Whether the last column has other neighbours than the first one. */
@inline
export function crosses(fraction: i32, slope: i32): bool {
  return <u32>((fraction >> 2) + 7 * (slope >> 2)) >>> 14 != 0;
}

/** With a slope that goes back, the neighbours of all columns begin one earlier. */
@inline
export function crossingShift(slope: i32, stride: usize): usize {
  return slope < 0 ? 0 - stride : 0;
}

/** The columns that have the farther ones of three neighbours. */
@inline
export function fartherOf(places: v128, slope: i32): v128 {
  return slope < 0 ? i16x8.ge_s(places, i16x8.splat(0)) : i16x8.gt_s(places, i16x8.splat(16383));
}

@inline
function mixed(near: v128, far: v128, weights: v128): v128 {
  const change = i16x8.add(i16x8.mul(i16x8.sub(far, near), weights), i16x8.splat(64));
  return i16x8.add(near, i16x8.shr_s(change, 7));
}

/** Eight values between `at` and the neighbours `stride` bytes away; with `isCrossing`, those of `farther` have the next ones. */
@inline
export function between(at: usize, stride: usize, weights: v128, isCrossing: bool, farther: v128): v128 {
  if (!isCrossing) return mixed(eight(at), eight(at + stride), weights);
  const middle = eight(at + stride);
  const near = v128.bitselect(middle, eight(at), farther);
  return mixed(near, v128.bitselect(eight(at + 2 * stride), middle, farther), weights);
}
