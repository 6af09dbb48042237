import { between, crosses, crossingShift, fanOf, fartherOf, placesOf, weightsOf } from "./between";
import { overChroma, overLuma, storeEight } from "./lanes";
import { margin, planeBytes, spanOf } from "./layout";

/**
 * Moved pictures are drawn in two passes. The first one shifts and stretches the rows of a picture, the second one mixes its rows. Both
 * read neighbours that lie side by side in memory, eight at a time. The maps turn and stretch a picture only a little.
 */

const step: i32 = 8;
const one: f64 = 65536;

/** Eight bytes of an opaque matte, and of an opaque alpha. */
const opaqueMatte: i64 = 0xebebebebebebebeb;
const opaqueAlpha: i64 = -1;

/**
 * The rows after the first pass, and the columns of each, as in a picture's own. Those of which the greatest counts are negative, so that the
 * columns that some rows have together are the least of theirs, found at once.
 */
let rows: usize = 0;
let spans: usize = 0;
let mostRows: i32 = 0;

const spanBytes: i32 = 16;

function rowsFor(sizePx: i32): i32 {
  return sizePx + (sizePx >> 1) + 64;
}

/** The bytes that the first pass needs for frames of this size: three planes, and the columns of their rows. */
export function scratchBytes(sizePx: i32): i32 {
  return rowsFor(sizePx) * (3 * sizePx + spanBytes);
}

/** Gives the first pass its memory. */
export function useScratch(at: usize, sizePx: i32): void {
  mostRows = rowsFor(sizePx);
  spans = at;
  rows = at + <usize>(mostRows * spanBytes);
}

/** A part of a row in the first pass. */
@inline
function shiftPart(
  source: usize,
  sourcePlane: usize,
  target: usize,
  targetPlane: usize,
  first: i32,
  end: i32,
  start: i32,
  slope: i32,
  isChroma: bool,
  isOpaque: bool,
): void {
  const fan = fanOf(slope);
  let place = start;
  for (let x = first; x < end; x += step, place += (slope + 65536) * step) {
    const fraction = place & 0xffff;
    const into = target + <usize>x;
    const places = placesOf(fraction, fan);
    const weights = weightsOf(places);
    const isCrossing = crosses(fraction, slope);
    let from = source + <usize>(place >> 16);
    let farther = i16x8.splat(0);
    if (isCrossing) {
      from += crossingShift(slope, 1);
      farther = fartherOf(places, slope);
    }
    storeEight(into, between(from, 1, weights, isCrossing, farther));
    if (isChroma)
      storeEight(into + targetPlane, between(from + sourcePlane, 1, weights, isCrossing, farther));
    const alphaInto = into + (isChroma ? 2 * targetPlane : targetPlane);
    const alphaFrom = from + (isChroma ? 2 * sourcePlane : sourcePlane);
    if (isOpaque) store<i64>(alphaInto, opaqueAlpha);
    else storeEight(alphaInto, between(alphaFrom, 1, weights, isCrossing, farther));
  }
}

/** A part of a row in the second pass. */
@inline
function mixPart(
  source: usize,
  stride: usize,
  sourcePlane: usize,
  target: usize,
  targetPlane: usize,
  first: i32,
  end: i32,
  start: i32,
  slope: i32,
  isChroma: bool,
  isOpaque: bool,
): void {
  const fan = fanOf(slope);
  let place = start;
  for (let x = first; x < end; x += step, place += slope * step) {
    const fraction = place & 0xffff;
    const into = target + <usize>x;
    const places = placesOf(fraction, fan);
    const weights = weightsOf(places);
    const isCrossing = crosses(fraction, slope);
    let from = source + <usize>((place >> 16) * <i32>stride + x);
    let farther = i16x8.splat(0);
    if (isCrossing) {
      from += crossingShift(slope, stride);
      farther = fartherOf(places, slope);
    }
    let alpha = i16x8.splat(0);
    if (!isOpaque) {
      alpha = between(
        from + (isChroma ? 2 * sourcePlane : sourcePlane),
        stride,
        weights,
        isCrossing,
        farther,
      );
      if (!v128.any_true(alpha)) continue;
    }
    const value = between(from, stride, weights, isCrossing, farther);
    if (isChroma) {
      const other = between(from + sourcePlane, stride, weights, isCrossing, farther);
      if (isOpaque) {
        storeEight(into, value);
        storeEight(into + targetPlane, other);
      } else overChroma(into, targetPlane, value, other, alpha);
    } else if (isOpaque) {
      storeEight(into, value);
      store<i64>(into + targetPlane, opaqueMatte);
    } else overLuma(into, targetPlane, value, alpha);
  }
}

/** Clears some columns of a row in the first pass. For so few bytes, stores are faster than `memory.fill`. */
@inline
function clear(at: usize, plane: usize, count: i32, isChroma: bool): void {
  for (const end = at + <usize>count; at < end; at += step) {
    store<i64>(at, 0);
    store<i64>(at + plane, 0);
    if (isChroma) store<i64>(at + 2 * plane, 0);
  }
}

/**
 * Draws a moved picture over luma and matte of a frame, or over its chroma planes. `a` to `f` map places in the frame to those in the
 * picture: x' = a · x + c · y + e, y' = b · x + d · y + f, both counted in the middles of pixels. Columns are multiples of 8.
 */
@inline
export function move(
  picture: usize,
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
  const turn = c / d;
  const stretch = a - turn * b;
  const slope = <i32>Math.round((stretch - 1) * one);
  const top = <i32>Math.floor(min(b * x0, b * x1) + d * y0 + f) - 2;
  const bottom = <i32>Math.floor(max(b * x0, b * x1) + d * y1 + f) + 3;
  if (bottom - top >= mostRows || x0 >= x1) return;
  const stride = x1 - x0;
  const bytes = planeBytes(width, height);
  const rowsPlane = <usize>((bottom - top + 1) * stride);
  for (let row = top; row <= bottom; row++) {
    const lead = turn * row + e - turn * f;
    let first = x1;
    let end = x0;
    let inFirst = x1;
    let inEnd = x0;
    if (row >= 0 && row < height) {
      const span = spanOf(picture, isChroma ? row : row >> 1);
      const shift = isChroma ? 1 : 0;
      const left = load<i32>(span) >> shift;
      const right = load<i32>(span, 4) >> shift;
      if (left < right) {
        first = max(x0, <i32>Math.floor((left - 1 - lead) / stretch) & -step);
        end = min(x1, (<i32>Math.ceil((right - lead) / stretch) + step) & -step);
        const inLeft = load<i32>(span, 8) >> shift;
        const inRight = load<i32>(span, 12) >> shift;
        inFirst = max(first, (<i32>Math.ceil((inLeft - lead) / stretch) + step) & -step);
        inEnd = min(end, <i32>Math.floor((inRight - 2 - lead) / stretch) & -step);
      }
    }
    const into = rows + <usize>((row - top) * stride);
    if (first >= end) {
      first = inFirst = x1;
      end = inEnd = x0;
      clear(into, rowsPlane, stride, isChroma);
    } else {
      if (inFirst >= inEnd) inFirst = inEnd = end;
      clear(into, rowsPlane, first - x0, isChroma);
      clear(into + <usize>(end - x0), rowsPlane, x1 - end, isChroma);
      const from = planes + <usize>(row * (width + margin) + margin);
      const to = into - <usize>x0;
      const start = <i32>Math.round((stretch * first + lead) * one);
      const inStart = start + (slope + 65536) * (inFirst - first);
      const outStart = inStart + (slope + 65536) * (inEnd - inFirst);
      shiftPart(from, bytes, to, rowsPlane, first, inFirst, start, slope, isChroma, false);
      shiftPart(from, bytes, to, rowsPlane, inFirst, inEnd, inStart, slope, isChroma, true);
      shiftPart(from, bytes, to, rowsPlane, inEnd, end, outStart, slope, isChroma, false);
    }
    v128.store(spans + <usize>((row - top) * spanBytes), i32x4(first, -end, -inFirst, inEnd));
  }
  const lean = <i32>Math.round(b * one);
  const from = rows - <usize>x0;
  for (let y = y0; y < y1; y++) {
    const before = b * x0 + d * y + f;
    const after = b * x1 + d * y + f;
    const last = <i32>Math.floor(max(before, after)) + 2 - top;
    let columns = i32x4(x1, -x0, -x0, x1);
    for (let row = <i32>Math.floor(min(before, after)) - 1 - top; row <= last; row++)
      columns = i32x4.min_s(columns, v128.load(spans + <usize>(row * spanBytes)));
    const first = i32x4.extract_lane(columns, 0);
    const end = -i32x4.extract_lane(columns, 1);
    let inFirst = -i32x4.extract_lane(columns, 2);
    let inEnd = i32x4.extract_lane(columns, 3);
    if (first >= end) continue;
    if (inFirst >= inEnd) inFirst = inEnd = end;
    const to = target + <usize>(y * targetStride);
    const start = <i32>Math.round((b * first + d * y + f - top) * one);
    const inStart = start + lean * (inFirst - first);
    const outStart = inStart + lean * (inEnd - inFirst);
    const rowStride = <usize>stride;
    mixPart(from, rowStride, rowsPlane, to, targetPlane, first, inFirst, start, lean, isChroma, false);
    mixPart(from, rowStride, rowsPlane, to, targetPlane, inFirst, inEnd, inStart, lean, isChroma, true);
    mixPart(from, rowStride, rowsPlane, to, targetPlane, inEnd, end, outStart, lean, isChroma, false);
  }
}
