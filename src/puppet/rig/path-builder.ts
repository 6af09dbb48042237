import type { PathEnvironment, PathLike } from "../canvas.ts";
import type { Outline } from "../format/outline.ts";
import { Verb } from "../format/outline.ts";

/** How a path is made: what it is for, and how far it is shifted. */
interface PathUse {
  /**
   * Whether the ends of its subpaths are joined, which only a stroke shows. Chromium's time for that grows with the square of
   * their number (12 ms for 1,024).
   */
  readonly isClosed?: boolean;
  /** In units. */
  readonly offsetX?: number;
}

/** Creates a canvas path from an outline's verbs and its current points. */
export function buildPath(
  env: PathEnvironment,
  { verbs }: Outline,
  points: ArrayLike<number>,
  { isClosed = false, offsetX = 0 }: PathUse = {},
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
      if (isClosed) path.closePath();
    } else {
      if (verb === Verb.move) path.moveTo(x, y);
      else path.lineTo(x, y);
      i += 2;
    }
  }
  return path;
}
