import type { Matrix } from "../../../../src/puppet/index.ts";

/** Premultiplied RGBA pixels, and where their upper left is in the frame. */
export interface PlacedPixels {
  rgba: Uint8Array;
  width: number;
  height: number;
  x: number;
  y: number;
}

/** A premultiplied colour, 0 to 255 each. */
type Pixel = [red: number, green: number, blue: number, alpha: number];

/**
 * A frame with packed alpha in the simplest way: each pixel is taken from between four of the moved pixels, and the colours are converted
 * at the end. `back` maps places in the frame to those in the pixels' own place. Returns I420 as numbers.
 */
export function referenceFrame(
  size: number,
  pictures: readonly { pixels: PlacedPixels; back: Matrix }[],
): number[] {
  const pixels = Array.from({ length: size * size }, (_, index) => {
    const [x, y] = [index % size, Math.floor(index / size)];
    return pictures.reduce<Pixel>((below, picture) => over(moved(picture, x, y), below), [0, 0, 0, 0]);
  });
  const at = (x: number, y: number): Pixel => pixels[y * size + x] ?? [0, 0, 0, 0];
  const half = size / 2;
  const chroma = (value: (pixel: Pixel) => number): number[] =>
    Array.from({ length: half * size }, (_, index) => {
      const [x, y] = [2 * (index % half), 2 * Math.floor(index / half)];
      if (y >= size) return 128;
      const four = [at(x, y), at(x + 1, y), at(x, y + 1), at(x + 1, y + 1)];
      return 128 + four.reduce((sum, pixel) => sum + value(pixel), 0) / 4;
    });
  return [
    ...pixels.map(([r, g, b]) => 16 + (65.738 * r + 129.057 * g + 25.064 * b) / 256),
    ...pixels.map(([, , , alpha]) => 16 + (alpha * 219) / 255),
    ...chroma(([r, g, b]) => (-37.945 * r - 74.494 * g + 112.439 * b) / 256),
    ...chroma(([r, g, b]) => (112.439 * r - 94.154 * g - 18.285 * b) / 256),
  ];
}

function over([r, g, b, alpha]: Pixel, below: Pixel): Pixel {
  const rest = 1 - alpha / 255;
  return [r + below[0] * rest, g + below[1] * rest, b + below[2] * rest, alpha + below[3] * rest];
}

function moved({ pixels, back }: { pixels: PlacedPixels; back: Matrix }, x: number, y: number): Pixel {
  const [a, b, c, d, e, f] = back;
  const across = a * (x + 0.5) + c * (y + 0.5) + e - 0.5 - pixels.x;
  const down = b * (x + 0.5) + d * (y + 0.5) + f - 0.5 - pixels.y;
  const [left, top] = [Math.floor(across), Math.floor(down)];
  const [dx, dy] = [across - left, down - top];
  const pixel = (column: number, row: number, channel: number): number =>
    column < 0 || row < 0 || column >= pixels.width || row >= pixels.height
      ? 0
      : (pixels.rgba[(row * pixels.width + column) * 4 + channel] ?? 0);
  const mixed = (channel: number): number =>
    (1 - dy) * ((1 - dx) * pixel(left, top, channel) + dx * pixel(left + 1, top, channel)) +
    dy * ((1 - dx) * pixel(left, top + 1, channel) + dx * pixel(left + 1, top + 1, channel));
  return [mixed(0), mixed(1), mixed(2), mixed(3)];
}
