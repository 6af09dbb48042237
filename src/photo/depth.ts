import type { Face, FacePoint } from "./face.ts";
import { faceOutline, surfaceCount } from "./landmarks.ts";
import { isInside, smooth, type Point } from "./numbers.ts";

/** How far behind the outline of the face hair and shoulders are, in millimetres. */
const behindMm = 26;

function surfaceDepth(points: readonly FacePoint[], x: number, y: number): number {
  let [weights, sum] = [0, 0];
  for (let i = 0; i < surfaceCount; i++) {
    const [px, py, pz] = points[i]!;
    const distance = (px - x) ** 2 + (py - y) ** 2;
    const weight = Math.exp(-distance / 72) + 1e-4 / (1 + distance * distance * 1e-3);
    weights += weight;
    sum += weight * pz;
  }
  return sum / weights;
}

/** The depth of any point of the picture: that of the face within its outline, and farther away the farther outside. */
export function createDepth({ points }: Face): (x: number, y: number) => number {
  const outline = faceOutline.map((i) => points[i]!);
  const polygon = outline.map(([x, y]): Point => [x, y]);
  return (x, y) => {
    const inner = surfaceDepth(points, x, y);
    if (isInside(polygon, x, y)) return inner;
    let [weights, sum, nearest] = [0, 0, Infinity];
    for (const [px, py, pz] of outline) {
      const distance = (px - x) ** 2 + (py - y) ** 2;
      nearest = Math.min(nearest, distance);
      const weight = (distance + 90) ** -1.4;
      weights += weight;
      sum += weight * pz;
    }
    const mm = Math.sqrt(nearest);
    const outside = smooth(0, 14, mm);
    return inner * (1 - outside) + (sum / weights) * outside + behindMm * (1 - Math.exp(-mm / 48));
  };
}
