import { margin, planeBytes } from "./layout";

/** A value of a plane between four pixels. The column may be one outside of the plane, where its margin is. */
@inline
function sample(plane: usize, stride: i32, height: i32, column: i32, row: i32, x: f64, y: f64): f64 {
  const at = plane + <usize>(row * stride + column);
  let value: f64 = 0;
  if (row >= 0) value += (1 - y) * ((1 - x) * <f64>load<u8>(at) + x * <f64>load<u8>(at, 1));
  if (row + 1 < height) {
    const below = at + <usize>stride;
    value += y * ((1 - x) * <f64>load<u8>(below) + x * <f64>load<u8>(below, 1));
  }
  return value;
}

@inline
function over(at: usize, value: f64, alpha: f64): void {
  store<u8>(at, <u8>min(255, value + <f64>load<u8>(at) * (1 - alpha / 255) + 0.5));
}

/** Does what `move` does, for any map, one pixel after another. */
@inline
export function warp(
  planes: usize,
  width: i32,
  height: i32,
  target: usize,
  targetStride: i32,
  targetPlane: usize,
  x0: i32,
  y0: i32,
  x1: i32,
  y1: i32,
  a: f64,
  b: f64,
  c: f64,
  d: f64,
  e: f64,
  f: f64,
  isChroma: bool,
): void {
  const stride = width + margin;
  const bytes = planeBytes(width, height);
  const alphas = planes + (isChroma ? 2 * bytes : bytes) + <usize>margin;
  for (let y = y0; y < y1; y++) {
    for (let x = x0; x < x1; x++) {
      const across = a * x + c * y + e;
      const down = b * x + d * y + f;
      if (across <= -1 || down <= -1 || across >= width || down >= height) continue;
      const column = <i32>Math.floor(across);
      const row = <i32>Math.floor(down);
      const dx = across - column;
      const dy = down - row;
      const alpha = sample(alphas, stride, height, column, row, dx, dy);
      if (alpha <= 0) continue;
      const value = sample(planes + <usize>margin, stride, height, column, row, dx, dy);
      const into = target + <usize>(y * targetStride + x);
      over(into, value, alpha);
      if (isChroma)
        over(
          into + targetPlane,
          sample(planes + bytes + <usize>margin, stride, height, column, row, dx, dy),
          alpha,
        );
      else over(into + targetPlane, (alpha * 235) / 255, alpha);
    }
  }
}
