/**
 * A path of a packed character: verbs as in `Verb`, points as whole numbers of steps. The streams of a file: how many paths before
 * this one lies the one that it resembles (0: none), the verbs of a path that resembles none (4 ends it), differences from the
 * resembled path (x, y), differences of curves from what is likely (x1, y1, x2, y2, x, y), and those of moves and lines (x, y).
 */
export interface PackedPath {
  readonly verbs: readonly number[];
  readonly points: readonly number[];
}

export const streamCount = 12;

/**
 * The likely number at a place after the points that are known: a curve goes on smoothly, and its parts are about equally long. `i`:
 * the number's place in its segment.
 */
export function likelyNumber(points: readonly number[], at: number, i: number, isCurve: boolean): number {
  const back = (count: number): number => points[at - count] ?? 0;
  // What was before the segment: its start, and the control point before that.
  if (!isCurve) return back(2);
  if (i < 2) return 2 * back(2) - back(4);
  if (i < 4) return 2 * back(2) - back(4);
  return back(2) + Math.round((back(2) - back(6)) / 2);
}
