import { clamp, smooth } from "../photo/numbers.ts";
import { fillGaps } from "./fill.ts";

/** The mean of each pixel's surroundings of `radius`. */
function boxMean(values: Float32Array, size: number, radius: number): Float32Array {
  const pass = (from: Float32Array, step: number, line: number): Float32Array => {
    const to = new Float32Array(from.length);
    for (let l = 0; l < size; l++) {
      let sum = 0;
      for (let i = -radius; i < size; i++) {
        if (i + radius < size) sum += from[l * line + (i + radius) * step]!;
        if (i - radius - 1 >= 0) sum -= from[l * line + (i - radius - 1) * step]!;
        const count = Math.min(size - 1, i + radius) - Math.max(0, i - radius) + 1;
        if (i >= 0) to[l * line + i * step] = sum / count;
      }
    }
    return to;
  };
  return pass(pass(values, 1, size), size, 1);
}

const product = (a: Float32Array, b: Float32Array): Float32Array => a.map((value, i) => value * b[i]!);

/** Lets a coarse mask follow the edges of the picture (a guided filter). */
function followEdges(guide: Float32Array, mask: Float32Array, size: number): Float32Array {
  const radius = Math.max(2, Math.round(size / 110));
  const mean = (values: Float32Array): Float32Array => boxMean(values, size, radius);
  const [meanGuide, meanMask] = [mean(guide), mean(mask)];
  const [squares, products] = [mean(product(guide, guide)), mean(product(guide, mask))];
  const slope = meanGuide.map((g, i) => (products[i]! - g * meanMask[i]!) / (squares[i]! - g * g + 4e-4));
  const offset = slope.map((a, i) => meanMask[i]! - a * meanGuide[i]!);
  const [meanSlope, meanOffset] = [mean(slope), mean(offset)];
  return guide.map((g, i) => smooth(0.12, 0.92, meanSlope[i]! * g + meanOffset[i]!));
}

/** Shoulders that reach the sides of the picture fade out there: a straight edge would be seen. */
const sideFade = (x: number, size: number): number => smooth(0, 0.06, Math.min(x, size - 1 - x) / size);

/** Above this opacity a pixel has only the person's colours. */
const own = 0.95;

/**
 * Cuts the person out of a square picture: `mask` is the coarse opacity (0…255 in each alpha value). What shines through at the edges
 * gets the person's colours. Changes `image`.
 */
export function cutOut(image: ImageData, mask: Uint8ClampedArray): void {
  const { width: size, data } = image;
  const pixels = size * size;
  const guide = new Float32Array(pixels);
  const coarse = new Float32Array(pixels);
  const values = new Float32Array(3 * pixels);
  for (let i = 0; i < pixels; i++) {
    for (let c = 0; c < 3; c++) values[3 * i + c] = data[4 * i + c]!;
    guide[i] = (data[4 * i]! * 0.3 + data[4 * i + 1]! * 0.59 + data[4 * i + 2]! * 0.11) / 255;
    // Outside of the photograph there is nothing.
    coarse[i] = data[4 * i + 3] === 0 ? 0 : smooth(0.15, 0.85, mask[4 * i + 3]! / 255);
  }
  const opacity = followEdges(guide, coarse, size);
  const filled = values.slice();
  fillGaps(
    { width: size, height: size, values: filled },
    opacity.map((a) => (a > own ? 1 : 0)),
  );
  for (let i = 0; i < pixels; i++) {
    const foreign = clamp((own - opacity[i]!) / 0.5);
    for (let c = 0; c < 3; c++) {
      const value = values[3 * i + c]!;
      data[4 * i + c] = value + (filled[3 * i + c]! - value) * foreign;
    }
    data[4 * i + 3] = Math.min(data[4 * i + 3]!, opacity[i]! * sideFade(i % size, size) * 255);
  }
}
