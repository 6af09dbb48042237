/** A 2D affine map in the order of canvas arguments: x' = a·x + c·y + e, y' = b·x + d·y + f. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** A map, and the largest distance of any point from where the map puts it. */
export interface AffineFit {
  readonly matrix: Matrix;
  readonly residual: number;
}

/** A fit first looks at about so many points. Most earlier pictures of a mouth are too far off, and show it there. */
const fewPoints = 12;

/** Points (x, y, x, y…), prepared so that the map from them to their later positions is found quickly. */
export class AffineReference {
  readonly #all: Moments;
  readonly #few: Moments;

  constructor(points: readonly number[]) {
    this.#all = new Moments(points, 1);
    this.#few = new Moments(points, Math.ceil(points.length / 2 / fewPoints));
  }

  /**
   * The affine map that brings the reference points closest (least squares) to `current`; undefined if a point stays farther than `limit`
   * from its place.
   */
  fit(current: readonly number[], limit = Infinity): AffineFit | undefined {
    // No map comes closer to these few points on average, so none can keep all points within the limit.
    if (this.#few.solve(current) > limit) return undefined;
    this.#all.solve(current);
    const residual = this.#all.residual(current, limit);
    if (residual > limit) return undefined;
    const { a, b, c, d } = map;
    const [x, y] = this.#all.mean;
    return { matrix: [a, b, c, d, map.x - a * x - c * y, map.y - b * x - d * y], residual };
  }
}

/** The map of the latest fit, and where it puts the points' mean. It is reused, because a frame needs hundreds of fits. */
const map = { a: 1, b: 0, c: 0, d: 1, x: 0, y: 0 };

/** Every `apart`-th of some points, and what a least-squares map from them needs. */
class Moments {
  /** How far apart their coordinates are in an array of all points. */
  readonly #step: number;
  readonly mean: readonly [x: number, y: number];
  /**
   * Their second moments xx, xy and yy, then how far each is from their mean: x, y, x, y… One array, because most of the time goes
   * to fetching from memory what hundreds of fits need.
   */
  readonly #values: Float64Array;

  constructor(points: readonly number[], apart: number) {
    const step = (this.#step = 2 * apart);
    const count = Math.ceil(points.length / step);
    let [sumX, sumY] = [0, 0];
    for (let j = 0; j < points.length; j += step) {
      sumX += points[j]!;
      sumY += points[j + 1]!;
    }
    const [meanX, meanY] = (this.mean = [sumX / count, sumY / count]);
    const values = (this.#values = new Float64Array(head + 2 * count));
    for (let i = head, j = 0; i < values.length; i += 2, j += step) {
      const dx = (values[i] = points[j]! - meanX);
      const dy = (values[i + 1] = points[j + 1]! - meanY);
      values[0]! += dx * dx;
      values[1]! += dx * dy;
      values[2]! += dy * dy;
    }
  }

  /**
   * Finds the map that brings these points closest to where they are in `current`. Returns how far it leaves them from there: the root of the
   * mean square.
   */
  solve(current: readonly number[]): number {
    const values = this.#values;
    const [xx, xy, yy] = [values[0]!, values[1]!, values[2]!];
    let [sumX, sumY, squares, xByX, xByY, yByX, yByY] = [0, 0, 0, 0, 0, 0, 0];
    for (let i = head, j = 0; i < values.length; i += 2, j += this.#step) {
      const dx = values[i]!;
      const dy = values[i + 1]!;
      const x = current[j]!;
      const y = current[j + 1]!;
      sumX += x;
      sumY += y;
      squares += x * x + y * y;
      xByX += x * dx;
      xByY += x * dy;
      yByX += y * dx;
      yByY += y * dy;
    }
    const count = (values.length - head) / 2;
    // A small value is added on the diagonal: points on one line then give a pure shift across it; without it, the result would
    // be meaningless.
    const [stiffX, stiffY] = [xx + count, yy + count];
    const scale = 1 / (stiffX * stiffY - xy * xy);
    const a = (map.a = 1 + ((xByX - xx) * stiffY - (xByY - xy) * xy) * scale);
    const c = (map.c = ((xByY - xy) * stiffX - (xByX - xx) * xy) * scale);
    const b = (map.b = ((yByX - xy) * stiffY - (yByY - yy) * xy) * scale);
    const d = (map.d = 1 + ((yByY - yy) * stiffX - (yByX - xy) * xy) * scale);
    map.x = sumX / count;
    map.y = sumY / count;
    const left =
      squares -
      sumX * map.x -
      sumY * map.y -
      2 * (a * xByX + c * xByY + b * yByX + d * yByY) +
      (a * a + b * b) * xx +
      2 * (a * c + b * d) * xy +
      (c * c + d * d) * yy;
    return Math.sqrt(Math.max(0, left / count));
  }

  /** The largest distance of any of all points from where the found map puts it, or the first distance that exceeds the limit. */
  residual(current: readonly number[], limit: number): number {
    const values = this.#values;
    const { a, b, c, d, x, y } = map;
    const stop = limit * limit;
    let worst = 0;
    for (let i = head; i < values.length && worst <= stop; i += 2) {
      const dx = values[i]!;
      const dy = values[i + 1]!;
      const offX = a * dx + c * dy + x - current[i - head]!;
      const offY = b * dx + d * dy + y - current[i - head + 1]!;
      worst = Math.max(worst, offX * offX + offY * offY);
    }
    return Math.sqrt(worst);
  }
}

/** How many numbers come before the points. */
const head = 3;
