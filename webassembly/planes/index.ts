import { chromaOf, heightOf, leftOf, lumaOf, topOf, widthOf } from "./layout";
import { move } from "./move";
import { stay } from "./stay";
import { warp } from "./warp";

export { pictureBytes } from "./layout";
export { scratchBytes, useScratch } from "./move";
export { split } from "./split";

/**
 * A frame is an I420 picture of `size` × 2 · `size`: the colours above, their matte below. `size` and the columns of boxes are multiples
 * of 16, rows are even.
 */

const black: u8 = 16;
const neutral: u8 = 128;

/** Makes a box of a frame black and transparent. */
export function clearBox(frame: usize, size: i32, x0: i32, y0: i32, x1: i32, y1: i32): void {
  const plane = <usize>(size * size);
  for (let y = y0; y < y1; y++) {
    const at = frame + <usize>(y * size + x0);
    memory.fill(at, black, x1 - x0);
    memory.fill(at + plane, black, x1 - x0);
  }
  const half = size >> 1;
  for (let y = y0 >> 1; y < y1 >> 1; y++) {
    const at = frame + 2 * plane + <usize>(y * half + (x0 >> 1));
    memory.fill(at, neutral, (x1 - x0) >> 1);
    memory.fill(at + (plane >> 1), neutral, (x1 - x0) >> 1);
  }
}

/** Draws the part of a picture that is in a box, where it was drawn first. */
export function pasteStill(
  picture: usize,
  frame: usize,
  size: i32,
  x0: i32,
  y0: i32,
  x1: i32,
  y1: i32,
): void {
  const plane = <usize>(size * size);
  const width = widthOf(picture);
  const height = heightOf(picture);
  const left = leftOf(picture);
  const top = topOf(picture);
  const luma = lumaOf(picture);
  stay(picture, luma, width, height, left, top, frame, size, plane, x0, y0, x1, y1, false);
  stay(
    picture,
    chromaOf(picture),
    width >> 1,
    height >> 1,
    left >> 1,
    top >> 1,
    frame + 2 * plane,
    size >> 1,
    plane >> 1,
    x0 >> 1,
    y0 >> 1,
    x1 >> 1,
    y1 >> 1,
    true,
  );
}

/** Whether a map turns and stretches so little that neighbours of eight columns lie side by side. */
@inline
function isGentle(a: f64, b: f64, c: f64, d: f64): bool {
  return Math.abs(b) < 0.14 && d > 0.7 && d < 1.3 && Math.abs(a - (c / d) * b - 1) < 0.14;
}

/** The same, moved: `a` to `f` map places in the frame to those where it was drawn first. Whole numbers are edges of pixels. */
export function pasteMoved(
  picture: usize,
  frame: usize,
  size: i32,
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
): void {
  const plane = <usize>(size * size);
  const half = size >> 1;
  const target = frame + 2 * plane;
  const width = widthOf(picture);
  const height = heightOf(picture);
  const luma = lumaOf(picture);
  const chroma = chromaOf(picture);
  // From the middle of a pixel to that of another.
  const x = 0.5 * (a + c - 1);
  const y = 0.5 * (b + d - 1);
  const e1 = e - leftOf(picture) + x;
  const f1 = f - topOf(picture) + y;
  const e2 = 0.5 * (e - leftOf(picture)) + x;
  const f2 = 0.5 * (f - topOf(picture)) + y;
  const w = width >> 1;
  const h = height >> 1;
  const l = x0 >> 1;
  const t = y0 >> 1;
  const r = x1 >> 1;
  const u = y1 >> 1;
  if (isGentle(a, b, c, d)) {
    move(picture, luma, width, height, frame, size, plane, x0, y0, x1, y1, a, b, c, d, e1, f1, false);
    move(picture, chroma, w, h, target, half, plane >> 1, l, t, r, u, a, b, c, d, e2, f2, true);
  } else {
    warp(luma, width, height, frame, size, plane, x0, y0, x1, y1, a, b, c, d, e1, f1, false);
    warp(chroma, w, h, target, half, plane >> 1, l, t, r, u, a, b, c, d, e2, f2, true);
  }
}
