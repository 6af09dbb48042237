import { clamp, smooth } from "../photo/numbers.ts";
import { fillGaps } from "./fill.ts";
import { type Columns, sideFade } from "./kept-background.ts";

/** What is at least so opaque belongs together with what is beside it (0…255). */
const solid = 200;
/** Smaller pieces are strands of hair, as a share of the picture. */
const leastShare = 1 / 4_000;

/** The pixels above, below and beside one. */
function neighboursOf(i: number, width: number, count: number): number[] {
  const x = i % width;
  return [x > 0 ? i - 1 : -1, x < width - 1 ? i + 1 : -1, i - width, i + width].filter(
    (next) => next >= 0 && next < count,
  );
}

/** Gives the pixels that `isReached` names, and those that touch them, the label of the pixel they are reached from. */
function spreadLabels(
  labels: Int32Array,
  width: number,
  queue: number[],
  isReached: (i: number) => boolean,
): void {
  for (let at = 0; at < queue.length; at++)
    for (const next of neighboursOf(queue[at]!, width, labels.length))
      if (labels[next] === 0 && isReached(next)) {
        labels[next] = labels[queue[at]!]!;
        queue.push(next);
      }
}

/**
 * A person is one piece: takes the opacity of everything that is not connected with the largest one, such as a tassel that hangs behind
 * a head. `data` has four values for each pixel; it is changed.
 */
export function removeIslands(data: Uint8ClampedArray, width: number): void {
  const labels = new Int32Array(data.length / 4);
  const sizes = [0];
  for (let start = 0; start < labels.length; start++) {
    if (labels[start] !== 0 || data[4 * start + 3]! < solid) continue;
    labels[start] = sizes.length;
    const piece = [start];
    spreadLabels(labels, width, piece, (i) => data[4 * i + 3]! >= solid);
    sizes.push(piece.length);
  }
  const largest = sizes.indexOf(Math.max(...sizes));
  const isIsland = sizes.map((size, label) => label !== largest && size > leastShare * labels.length);
  // Soft edges belong to the nearest piece.
  const edges = [...labels.keys()].filter((i) => labels[i] !== 0);
  spreadLabels(labels, width, edges, (i) => data[4 * i + 3] !== 0);
  labels.forEach((label, i) => {
    if (isIsland[label]) data[4 * i + 3] = 0;
  });
}

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

/** Above this opacity a pixel has only the person's colours, and below that one only those of what is behind. */
const own = 0.95;
const foreign = 0.04;
/** Person and background differ clearly from here on, and surely from there on: a distance of colours. */
const clearly = 40;
const surely = 110;

/** The colours of the pixels that `isKnown` names, and what is filled in between them. */
function spread(values: Float32Array, size: number, isKnown: (i: number) => boolean): Float32Array {
  const filled = values.slice();
  const weights = Float32Array.from({ length: size * size }, (_, i) => (isKnown(i) ? 1 : 0));
  fillGaps({ width: size, height: size, values: filled }, weights);
  return filled;
}

/** How far from the edge of the person there may still be gaps in the hair, as a share of the picture's side. */
const edgeShare = 1 / 50;
/** How far the edge itself is soft. */
const rimShare = 1 / 130;
/** A gap has the colours of the background: at most this far, and surely not that far. */
const gap = { from: 25, to: 60 } as const;

/** Three colour values. */
type Colour = readonly [number, number, number];

const colourOf = (values: Float32Array, i: number): Colour => [
  values[3 * i]!,
  values[3 * i + 1]!,
  values[3 * i + 2]!,
];

const distanceOf = (a: Colour, b: Colour): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

/** How much of a pixel is the person's, by its colour: as far as it lies on the way from the background's to the person's. */
function shareOf(colour: Colour, person: Colour, behind: Colour): { share: number; isSure: number } {
  let [along, squares] = [0, 0];
  for (const c of [0, 1, 2] as const) {
    const way = person[c] - behind[c];
    along += (colour[c] - behind[c]) * way;
    squares += way * way;
  }
  return { share: clamp(along / (squares || 1)), isSure: smooth(clearly, surely, Math.sqrt(squares)) };
}

/**
 * Cuts the person out of a square picture: `mask` is the coarse opacity (0…255 in each alpha value). Edges follow the colours, so that
 * nothing of a light background is left around dark hair; what shines through gets the person's colours. `columns` have something of
 * the photograph. Changes `image`.
 */
export function cutOut(
  image: Pick<ImageData, "width" | "data">,
  mask: Uint8ClampedArray,
  columns?: Columns,
): void {
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
  const isOwn = opacity.map((a) => (a > own ? 1 : 0));
  const within = (share: number): Float32Array => boxMean(isOwn, size, Math.max(1, Math.round(size * share)));
  const [deep, rim] = [within(edgeShare), within(rimShare)];
  const person = spread(values, size, (i) => deep[i]! > 0.999);
  const behind = spread(values, size, (i) => opacity[i]! < foreign && data[4 * i + 3]! > 0);
  for (let i = 0; i < pixels; i++) {
    let alpha = opacity[i]!;
    if (alpha > foreign && deep[i]! <= 0.999) {
      const [colour, back] = [colourOf(values, i), colourOf(behind, i)];
      const { share, isSure } = shareOf(colour, colourOf(person, i), back);
      if (rim[i]! <= 0.999) alpha += (smooth(0.1, 0.95, share) - alpha) * isSure;
      else alpha *= 1 - isSure * (1 - smooth(gap.from, gap.to, distanceOf(colour, back)));
    }
    const replaced = clamp((1 - alpha) / 0.3);
    for (let c = 0; c < 3; c++) {
      const value = values[3 * i + c]!;
      data[4 * i + c] = value + (person[3 * i + c]! - value) * replaced;
    }
    data[4 * i + 3] = Math.min(data[4 * i + 3]!, alpha * sideFade(i % size, size, columns) * 255);
  }
  removeIslands(data, size);
}
