/** A 2D affine map in the order of canvas arguments: x' = a·x + c·y + e, y' = b·x + d·y + f. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** A map, and the largest distance of any point from where the map puts it. */
export interface AffineFit {
  readonly matrix: Matrix;
  readonly residual: number;
}

/** Points (x, y, x, y…), prepared so that the map from them to their later positions is found quickly. */
export class AffineReference {
  readonly #points: Float32Array;
  /** The offset of each point from the mean. */
  readonly #offsets: Float64Array;
  readonly #meanX: number;
  readonly #meanY: number;
  /** The inverse of the (symmetric) matrix of second moments. */
  readonly #inverse: readonly [xx: number, xy: number, yy: number];
  /** The sums for the reference points themselves; a fit uses the difference from these. */
  readonly #own: Sums;

  constructor(points: Float32Array) {
    this.#points = points.slice();
    const count = points.length / 2;
    let [sumX, sumY] = [0, 0];
    for (let i = 0; i < points.length; i += 2) {
      sumX += points[i]!;
      sumY += points[i + 1]!;
    }
    this.#meanX = sumX / count;
    this.#meanY = sumY / count;
    this.#offsets = Float64Array.from(
      points,
      (place, i) => place - (i % 2 === 0 ? this.#meanX : this.#meanY),
    );
    // A small value is added on the diagonal: points on one line then give a pure shift across it; without it, the result would
    // be meaningless.
    let [xx, xy, yy] = [count, 0, count];
    for (let i = 0; i < points.length; i += 2) {
      const dx = this.#offsets[i]!;
      const dy = this.#offsets[i + 1]!;
      xx += dx * dx;
      xy += dx * dy;
      yy += dy * dy;
    }
    const determinant = xx * yy - xy * xy;
    this.#inverse = [yy / determinant, -xy / determinant, xx / determinant];
    this.#own = { x: 0, y: 0, xByX: 0, xByY: 0, yByX: 0, yByY: 0 };
    this.#sum(points, this.#own);
  }

  /**
   * The affine map that brings the reference points closest (least squares) to `current`. A residual above
   * `limit` may be smaller than the true one, because the search stops at the first point beyond the limit.
   */
  fit(current: Float32Array, limit = Infinity): AffineFit {
    const own = this.#own;
    const count = current.length / 2;
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
    const e = this.#meanX + (sums.x - own.x) / count - a * this.#meanX - c * this.#meanY;
    const f = this.#meanY + (sums.y - own.y) / count - b * this.#meanX - d * this.#meanY;
    const matrix: Matrix = [a, b, c, d, e, f];
    return { matrix, residual: this.#residual(matrix, current, limit) };
  }

  #sum(places: Float32Array, into: Sums): void {
    const offsets = this.#offsets;
    let [sumX, sumY, xByX, xByY, yByX, yByY] = [0, 0, 0, 0, 0, 0];
    for (let i = 0; i < offsets.length; i += 2) {
      const x = places[i]!;
      const y = places[i + 1]!;
      const dx = offsets[i]!;
      const dy = offsets[i + 1]!;
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
