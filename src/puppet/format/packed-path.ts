/**
 * A path of a packed character: verbs as in `Verb`, points as whole numbers of steps. The streams of a file: how many paths before
 * this one lies the one that it resembles (0: none), the verbs of a path that resembles none (4 ends it), how a path differs from the
 * one that it resembles, less the difference of the point before (x, y), the differences of moves and lines from the point before (x, y),
 * and those of curves from what is likely: two streams for their first points, and two for the others, which differ by as much.
 */
export interface PackedPath {
  readonly verbs: readonly number[];
  readonly points: readonly number[];
}

/** The first of the two streams of resembling paths, of those of moves and lines, and of the four of curves. */
export const likeStream = 2;
export const lineStream = 4;
const curveStream = 6;
export const streamCount = 10;

/** The likely place of a curve's next point. */
export interface LikelyPoint {
  /** The stream of the first axis' difference. The next stream is the other one's. */
  readonly stream: number;
  /** The axis that is told first: 0 is x, 1 is y. */
  readonly axis: 0 | 1;
  /** The likely place on that axis. */
  readonly first: number;
  /** The likely place on the other axis, when the first one is known. */
  second(known: number): number;
}

/** The likely place of a curve's first, second or third point (`part` 0 to 2), which is at `at` of the path's numbers. */
export function likelyPoint(points: readonly number[], at: number, part: number): LikelyPoint {
  const back = (count: number): number => points[at - count] ?? 0;
  const [x, y] = [back(2), back(1)];
  const stream = part ? curveStream + 2 : curveStream;
  if (part === 2) {
    // A curve bends about evenly: its end is half of its way so far beyond the point before.
    const first = x + Math.round((x - back(6)) / 2);
    return { stream, axis: 0, first, second: () => y + Math.round((y - back(5)) / 2) };
  }
  // It goes on as far and in the direction in which it came; a path's first curve comes from nowhere.
  const [dx, dy] = at < 4 ? [0, 0] : [x - back(4), y - back(3)];
  if (part === 1) return { stream, axis: 0, first: x + dx, second: () => y + dy };
  // Most curves follow one another smoothly: how far it goes on one axis says how far it goes on the other.
  return Math.abs(dx) >= Math.abs(dy)
    ? { stream, axis: 0, first: x + dx, second: (known) => y + (dx && Math.round((dy * (known - x)) / dx)) }
    : { stream, axis: 1, first: y + dy, second: (known) => x + Math.round((dx * (known - y)) / dy) };
}
