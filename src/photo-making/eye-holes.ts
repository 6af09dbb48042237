import { leftEye, rightEye } from "../photo/landmarks.ts";
import { smooth, type Point } from "../photo/numbers.ts";

/** The rim of an iris blends with the edge of the lower lid: within this distance, it is still seen. */
const rimMm = 0.45;

/**
 * Moves the lower lids' landmarks down where the iris touches them. They bound the hole that the eye is seen through: what is left
 * of the iris outside of it would stay as a dark arc when the eye looks elsewhere. Changes `points`, which are in pixels.
 */
export function widenEyeHoles(points: Point[], pxPerMm: number): void {
  for (const { lower, iris, rim } of [leftEye, rightEye]) {
    const [cx, cy] = points[iris]!;
    const radius = rim.reduce((sum, i) => sum + Math.hypot(points[i]![0] - cx, points[i]![1] - cy) / 4, 0);
    for (const i of lower.slice(1, -1)) {
      const [x, y] = points[i]!;
      const beside = 1 - smooth(radius * 0.9, radius * 1.6, Math.abs(x - cx));
      const touches = 1 - smooth(radius + 0.5 * pxPerMm, radius + 2 * pxPerMm, y - cy);
      points[i] = [x, y + rimMm * pxPerMm * beside * touches];
    }
  }
}
