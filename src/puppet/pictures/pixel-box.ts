/** A box in whole device pixels; empty when a width or height is 0. */
export interface PixelBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The box without any pixels. */
export const emptyBox: PixelBox = { x: 0, y: 0, width: 0, height: 0 };

/** Whether a box has no pixels. */
export function isEmpty({ width, height }: PixelBox): boolean {
  return width === 0 || height === 0;
}

/** The smallest box around two. */
export function around(a: PixelBox, b: PixelBox): PixelBox {
  if (isEmpty(a)) return b;
  if (isEmpty(b)) return a;
  const x = Math.min(a.x, b.x);
  const y = Math.min(a.y, b.y);
  const right = Math.max(a.x + a.width, b.x + b.width);
  const bottom = Math.max(a.y + a.height, b.y + b.height);
  return { x, y, width: right - x, height: bottom - y };
}

/** The smallest box around this one whose sides lie on multiples of `step`. */
export function steppedBox({ x, y, width, height }: PixelBox, step: number): PixelBox {
  const [left, top] = [x - (x % step), y - (y % step)];
  const up = (length: number): number => Math.ceil(length / step) * step;
  return { x: left, y: top, width: up(x + width - left), height: up(y + height - top) };
}

/** Whether two boxes have a pixel in common. */
export function overlap(a: PixelBox, b: PixelBox): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/** The box of whole pixels around some points (x, y), enlarged by a pixel for soft edges and limited to the picture. */
export function boxAround(points: readonly (readonly [number, number])[], sizePx: number): PixelBox {
  const within = (value: number): number => Math.max(0, Math.min(sizePx, value));
  const across = points.map(([x]) => x);
  const down = points.map(([, y]) => y);
  const x = within(Math.floor(Math.min(...across)) - 1);
  const y = within(Math.floor(Math.min(...down)) - 1);
  const right = within(Math.ceil(Math.max(...across)) + 1);
  const bottom = within(Math.ceil(Math.max(...down)) + 1);
  return { x, y, width: right - x, height: bottom - y };
}
