import type { PhotoArea } from "../protocol/characters/photo-character.ts";
import { isInside, clamp, type Point } from "../photo/numbers.ts";
import type { Colours } from "./fill.ts";

/** The square picture that a character is made from, with its landmarks in pixels. */
export interface SourcePicture {
  readonly size: number;
  readonly data: Uint8ClampedArray;
  readonly landmarks: readonly Point[];
  readonly pxPerMm: number;
}

/** A channel of a pixel; beyond the edges that of the nearest pixel. */
export function colourAt({ size, data }: SourcePicture, x: number, y: number, channel: number): number {
  const [px, py] = [clamp(Math.floor(x), 0, size - 1), clamp(Math.floor(y), 0, size - 1)];
  return data[4 * (py * size + px) + channel]!;
}

/** The three colours of a pixel. */
export const coloursAt = (source: SourcePicture, x: number, y: number): [number, number, number] => [
  colourAt(source, x, y, 0),
  colourAt(source, x, y, 1),
  colourAt(source, x, y, 2),
];

/** The colours of a part of the picture. */
export function coloursOf(source: SourcePicture, area: PhotoArea): Colours {
  const { width, height } = area;
  const values = new Float32Array(3 * width * height);
  for (let i = 0; i < width * height; i++)
    for (let c = 0; c < 3; c++)
      values[3 * i + c] = colourAt(source, area.x + (i % width), area.y + Math.floor(i / width), c);
  return { width, height, values };
}

/** A picture from colours and opacities (0…1). */
export function imageOf({ width, height, values }: Colours, opacity: (i: number) => number): ImageData {
  const image = new ImageData(width, height);
  for (let i = 0; i < width * height; i++) {
    for (let c = 0; c < 3; c++) image.data[4 * i + c] = values[3 * i + c]!;
    image.data[4 * i + 3] = 255 * opacity(i);
  }
  return image;
}

/** The distance of a point from a polygon's edge, in pixels: positive inside. */
export function distanceInside(polygon: readonly Point[], x: number, y: number): number {
  let nearest = Infinity;
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    const [ax, ay] = polygon[j]!;
    const [bx, by] = polygon[i]!;
    const [dx, dy] = [bx - ax, by - ay];
    const t = clamp(((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1));
    nearest = Math.min(nearest, Math.hypot(x - ax - t * dx, y - ay - t * dy));
  }
  return isInside(polygon, x, y) ? nearest : -nearest;
}

export const brightnessOf = (r: number, g: number, b: number): number => r * 0.3 + g * 0.59 + b * 0.11;
