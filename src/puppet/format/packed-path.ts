/**
 * A path of a packed character: verbs as in `Verb`, points as whole numbers of steps. The streams of a file: how many paths before
 * this one lies the one that it resembles (0: none), the verbs of a path that resembles none (4 ends it), differences from the
 * resembled path (x, y), those of moves and lines from the point before (x, y), and those of curves from what is likely: two streams
 * for each of a curve's three points, apart for small and large curves, because their differences are small and large too.
 */
export interface PackedPath {
  readonly verbs: readonly number[];
  readonly points: readonly number[];
}

/** The first of the two streams of moves and lines, and of those of curves. */
export const lineStream = 4;
const curveStream = 6;
const streamsOfSize = 6;
/** Curves whose known part is at least so long, in steps, have streams of their own. */
const sizes = [6, 14, 32];
export const streamCount = curveStream + streamsOfSize * (sizes.length + 1);

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
  if (part === 2) {
    // A curve bends about evenly: its end is half of its way so far beyond the point before.
    const start = [back(6), back(5)] as const;
    const length = Math.abs(back(4) - start[0]) + Math.abs(back(3) - start[1]);
    return {
      ...{ stream: streamOf(length, part), axis: 0, first: x + Math.round((x - start[0]) / 2) },
      second: () => y + Math.round((y - start[1]) / 2),
    };
  }
  // It goes on as far and in the direction in which it came; a path's first curve comes from nowhere.
  const [dx, dy] = at < 4 ? [0, 0] : [x - back(4), y - back(3)];
  const stream = streamOf(Math.abs(dx) + Math.abs(dy), part);
  if (part === 1) return { stream, axis: 0, first: x + dx, second: () => y + dy };
  // Most curves follow one another smoothly: how far it goes on one axis says how far it goes on the other.
  return Math.abs(dx) >= Math.abs(dy)
    ? { stream, axis: 0, first: x + dx, second: (known) => y + (dx && Math.round((dy * (known - x)) / dx)) }
    : { stream, axis: 1, first: y + dy, second: (known) => x + Math.round((dx * (known - y)) / dy) };
}

function streamOf(length: number, part: number): number {
  const size = sizes.filter((least) => length >= least).length;
  return curveStream + streamsOfSize * size + 2 * part;
}
