import type { Matrix } from "../../../puppet/index.ts";

/** Maps that shrink a picture to less than this share of its area show nothing. */
const leastArea = 1e-4;

/** The map back; undefined if nothing is seen of what it maps. */
export function inverse([a, b, c, d, e, f]: Matrix): Matrix | undefined {
  const area = a * d - b * c;
  if (!(Math.abs(area) > leastArea)) return undefined;
  return [d / area, -b / area, -c / area, a / area, (c * f - d * e) / area, (b * e - a * f) / area];
}
