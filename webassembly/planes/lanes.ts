/** Eight bytes as 16-bit lanes. */
@inline
export function eight(at: usize): v128 {
  return v128.load8x8_u(at);
}

@inline
export function storeEight(at: usize, lanes: v128): void {
  v128.store64_lane(at, i8x16.narrow_i16x8_u(lanes, lanes), 0);
}

/** What is seen through these alphas, of 256. */
@inline
function rest(alpha: v128): v128 {
  const inverse = i16x8.sub(i16x8.splat(255), alpha);
  return i16x8.add(inverse, i16x8.shr_u(inverse, 7));
}

/** Lays premultiplied values over those of a plane. */
@inline
function over(at: usize, value: v128, through: v128): void {
  const below = i16x8.shr_u(i16x8.add(i16x8.mul(eight(at), through), i16x8.splat(128)), 8);
  storeEight(at, i16x8.add(value, below));
}

/** The matte of these alphas: limited-range luma of white, premultiplied. */
@inline
function matteOf(alpha: v128): v128 {
  return i16x8.shr_u(i16x8.mul(alpha, i16x8.splat(236)), 8);
}

/** Lays eight columns of luma over a frame, and their matte over the plane after it. */
@inline
export function overLuma(into: usize, plane: usize, luma: v128, alpha: v128): void {
  const through = rest(alpha);
  over(into, luma, through);
  over(into + plane, matteOf(alpha), through);
}

/** Lays eight columns of both chroma planes over a frame. */
@inline
export function overChroma(into: usize, plane: usize, blue: v128, red: v128, alpha: v128): void {
  const through = rest(alpha);
  over(into, blue, through);
  over(into + plane, red, through);
}
