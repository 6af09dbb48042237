/** A number within limits. */
export const clamp = (value: number, least = 0, most = 1): number =>
  value < least ? least : value > most ? most : value;

/** 0 at `from`, 1 at `to`, with a smooth start and end. `from` may be the greater one. */
export function smooth(from: number, to: number, value: number): number {
  const t = clamp((value - from) / (to - from));
  return t * t * (3 - 2 * t);
}

/** A bell around 0 that is 1 there and falls within `width`. */
export const bell = (value: number, width: number): number => Math.exp(-((value / width) ** 2));

/** A point [x, y]. */
export type Point = readonly [number, number];

/** The height of a line of points at `x`; beyond its ends, that of the end. Points are sorted by x. */
export function heightAt(line: readonly Point[], x: number): number {
  const first = line[0]!;
  if (x <= first[0]) return first[1];
  for (let i = 1; i < line.length; i++) {
    const [x1, y1] = line[i]!;
    if (x > x1) continue;
    const [x0, y0] = line[i - 1]!;
    return y0 + ((y1 - y0) * (x - x0)) / (x1 - x0 || 1);
  }
  return line.at(-1)![1];
}

/** Whether a point lies within a polygon. */
export function isInside(polygon: readonly Point[], x: number, y: number): boolean {
  let inside = false;
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    const [ax, ay] = polygon[i]!;
    const [bx, by] = polygon[j]!;
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}
