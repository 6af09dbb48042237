/** A 2D affine map as canvas takes it: x' = a·x + c·y + e, y' = b·x + d·y + f. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** A map and the farthest that any point lies from where the map puts it. */
export interface AffineFit {
  readonly matrix: Matrix;
  readonly residual: number;
}

/** Points (x, y, x, y…) prepared so that maps from them to their later places are found quickly. */
export class AffineReference {
  readonly #points: Float32Array;
  readonly #meanX: number;
  readonly #meanY: number;
  /** The inverse of the (symmetric) matrix of second moments. */
  readonly #inverse: readonly [xx: number, xy: number, yy: number];

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
    // A little is added on the diagonal: points on one line then give a pure shift across it instead of nonsense.
    let [xx, xy, yy] = [count, 0, count];
    for (let i = 0; i < points.length; i += 2) {
      const dx = points[i]! - this.#meanX;
      const dy = points[i + 1]! - this.#meanY;
      xx += dx * dx;
      xy += dx * dy;
      yy += dy * dy;
    }
    const determinant = xx * yy - xy * xy;
    this.#inverse = [yy / determinant, -xy / determinant, xx / determinant];
  }

  /** The affine map that brings the reference points closest (least squares) to `current`. */
  fit(current: Float32Array): AffineFit {
    const points = this.#points;
    const count = points.length / 2;
    let [shiftX, shiftY, xByX, xByY, yByX, yByY] = [0, 0, 0, 0, 0, 0];
    for (let i = 0; i < points.length; i += 2) {
      const dx = points[i]! - this.#meanX;
      const dy = points[i + 1]! - this.#meanY;
      const moveX = current[i]! - points[i]!;
      const moveY = current[i + 1]! - points[i + 1]!;
      shiftX += moveX;
      shiftY += moveY;
      xByX += moveX * dx;
      xByY += moveX * dy;
      yByX += moveY * dx;
      yByY += moveY * dy;
    }
    const [ixx, ixy, iyy] = this.#inverse;
    const a = 1 + xByX * ixx + xByY * ixy;
    const c = xByX * ixy + xByY * iyy;
    const b = yByX * ixx + yByY * ixy;
    const d = 1 + yByX * ixy + yByY * iyy;
    const e = this.#meanX + shiftX / count - a * this.#meanX - c * this.#meanY;
    const f = this.#meanY + shiftY / count - b * this.#meanX - d * this.#meanY;
    const matrix: Matrix = [a, b, c, d, e, f];
    return { matrix, residual: this.#residual(matrix, current) };
  }

  #residual([a, b, c, d, e, f]: Matrix, current: Float32Array): number {
    const points = this.#points;
    let worst = 0;
    for (let i = 0; i < points.length; i += 2) {
      const x = points[i]!;
      const y = points[i + 1]!;
      const dx = a * x + c * y + e - current[i]!;
      const dy = b * x + d * y + f - current[i + 1]!;
      worst = Math.max(worst, dx * dx + dy * dy);
    }
    return Math.sqrt(worst);
  }
}
