import type { PhotoLayer } from "../protocol/photo-character.ts";

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
  for (let i = 0; i < half.length; i++) {
    const at = 2 * (Math.floor(i / halfWidth) * width + (i % halfWidth));
    const four = [words[at]!, words[at + 1]!, words[at + width]!, words[at + width + 1]!];
    for (let shift = 0; shift < 32; shift += 8) {
      const sum = four.reduce((total, word) => total + ((word >>> shift) & 255), 0);
      half[i]! |= Math.round(sum / 4) << shift;
    }
  }
  return { width: halfWidth, height: halfHeight, words: half };
}
