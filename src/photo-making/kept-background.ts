import { smooth } from "../photo/numbers.ts";
import { fillGaps } from "./fill.ts";

/** Each pixel's distance from the nearest one of a mask, in pixels (a chamfer distance: a little too long between the axes). */
export function distancesFrom(mask: Uint8Array, width: number): Float32Array {
  const distances = Float32Array.from(mask, (isThere) => (isThere ? 0 : Infinity));
  const height = mask.length / width;
  const take = (i: number, x: number, y: number, dx: number, dy: number): void => {
    if (x + dx < 0 || x + dx >= width || y + dy < 0 || y + dy >= height) return;
    const way = distances[i + dy * width + dx]! + Math.hypot(dx, dy);
    if (way < distances[i]!) distances[i] = way;
  };
  const before = [
    [-1, 0],
    [-1, -1],
    [0, -1],
    [1, -1],
  ] as const;
  for (let i = 0; i < mask.length; i++)
    for (const [dx, dy] of before) take(i, i % width, Math.floor(i / width), dx, dy);
  for (let i = mask.length - 1; i >= 0; i--)
    for (const [dx, dy] of before) take(i, i % width, Math.floor(i / width), -dx, -dy);
  return distances;
}

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

/** What is more opaque belongs to the person (0…255). */
const person = 64;
/** So far around the person the picture moves with them, and there it goes over into what is behind, in millimetres. */
const borderMm = { own: 4, faded: 8 } as const;

/** What is less opaque was not photographed: it is outside of the photograph, or was cut out of it before (0…255). */
const seen = 250;

/**
 * Parts a square picture into the person with a border, and what is behind: that stays where it is when the head moves, and is filled
 * in where the person is and where the photograph ends. Both together are the picture, which fades out at its sides; the person does
 * so at those of the photograph. `mask` is the coarse opacity of the person. Changes `photo` into the person; returns what is behind.
 * Null: there is nothing behind, and nothing was changed.
 */
export function keepBackground(
  photo: ImageData,
  mask: Uint8ClampedArray,
  mm: number,
  columns?: Columns,
): ImageData | null {
  const { width, height, data } = photo;
  const count = width * height;
  const isPerson = Uint8Array.from({ length: count }, (_, i) => (mask[4 * i + 3]! > person ? 1 : 0));
  const distances = distancesFrom(isPerson, width).map((px) => px / mm);
  const known = distances.map((away, i) => (away > borderMm.own && data[4 * i + 3]! > seen ? 1 : 0));
  if (!known.includes(1)) return null;
  const values = new Float32Array(3 * count);
  for (let i = 0; i < values.length; i++) values[i] = data[4 * Math.floor(i / 3) + (i % 3)]!;
  fillGaps({ width, height, values }, known);
  const behind = new ImageData(width, height);
  for (let i = 0; i < count; i++) {
    for (let c = 0; c < 3; c++) behind.data[4 * i + c] = values[3 * i + c]!;
    const x = i % width;
    behind.data[4 * i + 3] = 255 * sideFade(x, width);
    const own = sideFade(x, width, columns) * (1 - smooth(borderMm.own, borderMm.faded, distances[i]!));
    data[4 * i + 3] = Math.min(data[4 * i + 3]!, 255 * own);
  }
  return behind;
}
