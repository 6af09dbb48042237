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
  readonly #points: Float32Array;
  readonly #all: Moments;
  readonly #few: Moments;

  constructor(points: Float32Array) {
    this.#points = points.slice();
    this.#all = new Moments(this.#points, 1);
    this.#few = new Moments(this.#points, Math.ceil(points.length / 2 / fewPoints));
  }

  /**
   * The affine map that brings the reference points closest (least squares) to `current`. A residual above
   * `limit` may be smaller than the true one, because the search stops at the first point beyond the limit.
   */
  fit(current: Float32Array, limit = Infinity): AffineFit {
    // No map comes closer to these few points on average, so none can keep all points within the limit.
    const nearest = this.#few.map(current);
    const residual = this.#few.distance(nearest, current);
    if (residual > limit) return { matrix: nearest, residual };
    const matrix = this.#all.map(current);
    return { matrix, residual: this.#residual(matrix, current, limit) };
  }

  /** The largest distance of any point, or the first distance that exceeds the limit. */
  #residual([a, b, c, d, e, f]: Matrix, current: Float32Array, limit: number): number {
    const points = this.#points;
    const stop = limit * limit;
    let worst = 0;
    for (let i = 0; i < points.length && worst <= stop; i += 2) {
      const x = points[i]!;
      const y = points[i + 1]!;
      const dx = a * x + c * y + e - current[i]!;
      const dy = b * x + d * y + f - current[i + 1]!;
      const distance = dx * dx + dy * dy;
      if (distance > worst) worst = distance;
    }
    return Math.sqrt(worst);
  }
}

/** Every `apart`-th of some points, and what a least-squares map from them needs. */
class Moments {
  readonly #points: Float32Array;
  readonly #step: number;
  readonly #count: number;
  readonly #meanX: number;
  readonly #meanY: number;
  /** The inverse of the (symmetric) matrix of second moments. */
  readonly #inverse: readonly [xx: number, xy: number, yy: number];
  /** The sums for the reference points themselves; a fit uses the difference from these. */
  readonly #own: Sums;

  constructor(points: Float32Array, apart: number) {
    this.#points = points;
    this.#step = 2 * apart;
    this.#count = Math.ceil(points.length / this.#step);
    let [sumX, sumY] = [0, 0];
    for (let i = 0; i < points.length; i += this.#step) {
      sumX += points[i]!;
      sumY += points[i + 1]!;
    }
    this.#meanX = sumX / this.#count;
    this.#meanY = sumY / this.#count;
    this.#own = { x: 0, y: 0, xByX: 0, xByY: 0, yByX: 0, yByY: 0 };
    this.#sum(points, this.#own);
    const { xByX, xByY, yByY } = this.#own;
    // A small value is added on the diagonal: points on one line then give a pure shift across it; without it, the result would
    // be meaningless.
    const xx = xByX + this.#count;
    const yy = yByY + this.#count;
    const determinant = xx * yy - xByY * xByY;
    this.#inverse = [yy / determinant, -xByY / determinant, xx / determinant];
  }

  /** The map that brings these points closest to where they are in `current`. */
  map(current: Float32Array): Matrix {
    const own = this.#own;
    this.#sum(current, sums);
    const xByX = sums.xByX - own.xByX;
    const xByY = sums.xByY - own.xByY;
    const yByX = sums.yByX - own.yByX;
    const yByY = sums.yByY - own.yByY;
    const [ixx, ixy, iyy] = this.#inverse;
    const a = 1 + xByX * ixx + xByY * ixy;
    const c = xByX * ixy + xByY * iyy;
    const b = yByX * ixx + yByY * ixy;
    const d = 1 + yByX * ixy + yByY * iyy;
    const e = this.#meanX + (sums.x - own.x) / this.#count - a * this.#meanX - c * this.#meanY;
    const f = this.#meanY + (sums.y - own.y) / this.#count - b * this.#meanX - d * this.#meanY;
    return [a, b, c, d, e, f];
  }

  /** How far these points are from where a map puts them: the root of the mean square. */
  distance([a, b, c, d, e, f]: Matrix, current: Float32Array): number {
    const points = this.#points;
    let sum = 0;
    for (let i = 0; i < points.length; i += this.#step) {
      const x = points[i]!;
      const y = points[i + 1]!;
      const dx = a * x + c * y + e - current[i]!;
      const dy = b * x + d * y + f - current[i + 1]!;
      sum += dx * dx + dy * dy;
    }
    return Math.sqrt(sum / this.#count);
  }

  #sum(places: Float32Array, into: Sums): void {
    const points = this.#points;
    const [meanX, meanY] = [this.#meanX, this.#meanY];
    let [sumX, sumY, xByX, xByY, yByX, yByY] = [0, 0, 0, 0, 0, 0];
    for (let i = 0; i < points.length; i += this.#step) {
      const x = places[i]!;
      const y = places[i + 1]!;
      const dx = points[i]! - meanX;
      const dy = points[i + 1]! - meanY;
      sumX += x;
      sumY += y;
      xByX += x * dx;
      xByY += x * dy;
      yByX += y * dx;
      yByY += y * dy;
    }
    into.x = sumX;
    into.y = sumY;
    into.xByX = xByX;
    into.xByY = xByY;
    into.yByX = yByX;
    into.yByY = yByY;
  }
}

/** Sums over points: of their coordinates, and of their coordinates times the offsets of the reference. */
interface Sums {
  x: number;
  y: number;
  xByX: number;
  xByY: number;
  yByX: number;
  yByY: number;
}

/** Buffer for the current fit. It is reused, because a frame needs hundreds of fits. */
const sums: Sums = { x: 0, y: 0, xByX: 0, xByY: 0, yByX: 0, yByY: 0 };
