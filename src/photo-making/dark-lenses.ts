import { cheekMiddles } from "../photo/landmarks.ts";
import { ground, type GlassesRegion } from "./glasses-region.ts";
import { brightnessOf, coloursAt, type SourcePicture } from "./source-picture.ts";

/** A dark lens has at most this share of the cheeks' brightness. */
const darkShare = 0.42;
/** So much of what is around an eye lies behind a dark lens: a shadow, or black around the eyes, leaves more. */
const leastCovered = 0.85;
/** The area of one lens in square millimetres. */
const lensMm2 = { least: 350, most: 2_600 } as const;
/** Over the nose there is only a bridge: what is higher is a bar or a mask. */
const mostBridgeMm = 18;

/** The pixels beside, above and below one. */
function neighboursOf(i: number, width: number, count: number): number[] {
  const x = i % width;
  return [x > 0 ? i - 1 : -1, x < width - 1 ? i + 1 : -1, i - width, i + width].filter(
    (next) => next >= 0 && next < count,
  );
}

/** The dark pixels around both eyes; null where an eye can be seen. */
function darkEyes(isDark: Uint8Array, { grounds, width, x, middleX }: GlassesRegion): number[] | null {
  const found: number[] = [];
  for (const side of [-1, 1]) {
    const around = [...grounds.keys()].filter(
      (i) => grounds[i]! >= ground.lashes && (x + (i % width) - middleX) * side > 0,
    );
    const dark = around.filter((i) => isDark[i]);
    if (around.length === 0 || dark.length < leastCovered * around.length) return null;
    found.push(...dark);
  }
  return found;
}

/** Fills what has pixels of the mask on all four sides, on its side of the nose: lenses reflect light. */
function fillHoles(mask: Uint8Array, width: number, noseX: number): void {
  const height = mask.length / width;
  const within = new Uint8Array(mask.length);
  const mark = (line: readonly number[]): void => {
    const [first, last] = [line.findIndex((i) => mask[i]), line.findLastIndex((i) => mask[i])];
    line.forEach((i, at) => (within[i]! += first >= 0 && at >= first && at <= last ? 1 : 0));
  };
  for (let y = 0; y < height; y++) {
    const row = Array.from({ length: width }, (_, px) => y * width + px);
    mark(row.slice(0, noseX));
    mark(row.slice(noseX));
  }
  for (let px = 0; px < width; px++) mark(Array.from({ length: height }, (_, y) => y * width + px));
  within.forEach((count, i) => {
    if (count === 2) mask[i] = 1;
  });
}

/** Whether pixels are a pair of lenses, by their areas and what is over the nose. */
function isPair(mask: Uint8Array, width: number, noseX: number, mm: number): boolean {
  const areas = [0, 0];
  let bridge = 0;
  mask.forEach((isThere, i) => {
    if (!isThere) return;
    areas[i % width < noseX ? 0 : 1]! += 1 / mm ** 2;
    if (i % width === noseX) bridge += 1 / mm;
  });
  return areas.every((area) => area > lensMm2.least && area < lensMm2.most) && bridge < mostBridgeMm;
}

/** The pixels of lenses that are too dark to see the eyes behind them, with what of their frame is as dark. Null: there are none. */
export function darkLenses(
  source: SourcePicture,
  region: GlassesRegion,
  values: Float32Array,
): Uint8Array | null {
  const { grounds, width, x, middleX } = region;
  const cheeks = cheekMiddles.map((i) => brightnessOf(...coloursAt(source, ...source.landmarks[i]!)));
  const most = (darkShare * (cheeks[0]! + cheeks[1]!)) / 2;
  const isDark = Uint8Array.from(grounds, (_, i) =>
    brightnessOf(values[3 * i]!, values[3 * i + 1]!, values[3 * i + 2]!) < most ? 1 : 0,
  );
  const queue = darkEyes(isDark, region);
  if (queue === null) return null;
  const mask = new Uint8Array(grounds.length);
  for (const i of queue) mask[i] = 1;
  for (let at = 0; at < queue.length; at++)
    for (const next of neighboursOf(queue[at]!, width, mask.length))
      if (isDark[next] && !mask[next]) {
        mask[next] = 1;
        queue.push(next);
      }
  const noseX = Math.round(middleX - x);
  fillHoles(mask, width, noseX);
  return isPair(mask, width, noseX, source.pxPerMm) ? mask : null;
}
