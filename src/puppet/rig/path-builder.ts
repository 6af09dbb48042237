import type { PathEnvironment, PathLike } from "../canvas.ts";
import type { Outline } from "../format/outline.ts";
import { Verb } from "../format/outline.ts";

/** Creates a canvas path from an outline's verbs and its current points. `offsetX` shifts it (units). */
export function buildPath(
  env: PathEnvironment,
  { verbs }: Outline,
  points: ArrayLike<number>,
  offsetX = 0,
): PathLike {
  const path = new env.Path2D();
  let i = 0;
  for (const verb of verbs) {
    const x = points[i]! + offsetX;
    const y = points[i + 1]!;
    if (verb === Verb.curve) {
      path.bezierCurveTo(
        x,
        y,
        points[i + 2]! + offsetX,
        points[i + 3]!,
        points[i + 4]! + offsetX,
        points[i + 5]!,
      );
      i += 6;
    } else if (verb === Verb.close) {
      path.closePath();
    } else {
      if (verb === Verb.move) path.moveTo(x, y);
      else path.lineTo(x, y);
      i += 2;
    }
  }
  return path;
}
