import { eight, overChroma, overLuma } from "./lanes";
import { margin, planeBytes, spanOf } from "./layout";

const step: i32 = 8;

/** Draws a picture where it was drawn first, over luma and matte of a frame or over its chroma planes. Columns are multiples of 8. */
@inline
export function stay(
  picture: usize,
  planes: usize,
  width: i32,
  height: i32,
  left: i32,
  top: i32,
  target: usize,
  targetStride: i32,
  targetPlane: usize,
  x0: i32,
  y0: i32,
  x1: i32,
  y1: i32,
  isChroma: bool,
): void {
  const bytes = planeBytes(width, height);
  const alphaPlane: usize = isChroma ? 2 * bytes : bytes;
  const shift = isChroma ? 1 : 0;
  for (let y = max(y0, top); y < min(y1, top + height); y++) {
    const row = y - top;
    const span = spanOf(picture, isChroma ? row : row >> 1);
    if (load<i32>(span) >= load<i32>(span, 4)) continue;
    const first = max(x0, (left + (load<i32>(span) >> shift)) & -step);
    const end = min(x1, left + (load<i32>(span, 4) >> shift));
    const source = planes + <usize>(row * (width + margin) + margin - left);
    const into = target + <usize>(y * targetStride);
    for (let x = first; x < end; x += step) {
      const from = source + <usize>x;
      const alpha = eight(from + alphaPlane);
      if (!v128.any_true(alpha)) continue;
      if (isChroma) overChroma(into + <usize>x, targetPlane, eight(from), eight(from + bytes), alpha);
      else overLuma(into + <usize>x, targetPlane, eight(from), alpha);
    }
  }
}
