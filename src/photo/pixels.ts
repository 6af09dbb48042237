import type { PhotoLayer } from "../protocol/characters/photo-character.ts";

/** Pixels with premultiplied colours, one word each: red in its lowest byte, alpha in its highest. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly words: Uint32Array;
  /** The same at half the size. */
  readonly half?: Pixels;
}

/** How often the mouth's layer is halved: it is about five times as large as it is seen. */
const mouthHalves = 3;

/** A layer as the rasteriser takes it. */
export const layerPixels = (layer: PhotoLayer, pixels: Pixels): Pixels =>
  layer === "mouth" ? withHalves(pixels, mouthHalves) : pixels;

function withHalves(pixels: Pixels, count: number): Pixels {
  if (count === 0 || Math.min(pixels.width, pixels.height) < 4) return pixels;
  return { ...pixels, half: withHalves(halved(pixels), count - 1) };
}

/** Each pixel is the mean of four. */
function halved({ width, height, words }: Pixels): Pixels {
  const [halfWidth, halfHeight] = [width >> 1, height >> 1];
  const half = new Uint32Array(halfWidth * halfHeight);
  // Of each word, every other byte: then sums of four have room beside each other.
  const [bytes, rounding] = [0x00ff00ff, 0x00020002];
  for (let i = 0; i < half.length; i++) {
    const at = 2 * (Math.floor(i / halfWidth) * width + (i % halfWidth));
    const [a, b, c, d] = [words[at]!, words[at + 1]!, words[at + width]!, words[at + width + 1]!];
    const even = (a & bytes) + (b & bytes) + (c & bytes) + (d & bytes) + rounding;
    const odd =
      ((a >>> 8) & bytes) + ((b >>> 8) & bytes) + ((c >>> 8) & bytes) + ((d >>> 8) & bytes) + rounding;
    half[i] = ((even >>> 2) & bytes) | (((odd >>> 2) & bytes) << 8);
  }
  return { width: halfWidth, height: halfHeight, words: half };
}
