import type { PixelBox } from "../../../puppet/index.ts";

/** Boxes begin and end at multiples of this many pixels, as the packed frame needs it. */
const step = 8;

/** The box around all pixels that differ; null if none does. Both pictures are square. */
export function changedBox(before: Uint32Array, now: Uint32Array, size: number): PixelBox | null {
  let [left, right, top, bottom] = [size, -1, -1, -1];
  for (let y = 0; y < size; y++) {
    const [from, to] = [y * size, (y + 1) * size];
    let first = from;
    while (first < to && before[first] === now[first]) first++;
    if (first === to) continue;
    let last = to - 1;
    while (before[last] === now[last]) last--;
    if (top < 0) top = y;
    bottom = y;
    left = Math.min(left, first - from);
    right = Math.max(right, last - from);
  }
  if (top < 0) return null;
  const down = (value: number): number => step * Math.floor(value / step);
  const up = (value: number): number => Math.min(size, step * Math.ceil((value + 1) / step));
  const [x, y] = [down(left), down(top)];
  return { x, y, width: up(right) - x, height: up(bottom) - y };
}
