/** What is at least so opaque belongs together with what is beside it (0…255). */
const solid = 200;
/** Smaller pieces are strands of hair, as a share of the picture. */
const leastShare = 1 / 4_000;

/** The pixels above, below and beside one. */
function neighboursOf(i: number, width: number, count: number): number[] {
  const x = i % width;
  return [x > 0 ? i - 1 : -1, x < width - 1 ? i + 1 : -1, i - width, i + width].filter(
    (next) => next >= 0 && next < count,
  );
}

/** Gives the pixels that `isReached` names, and those that touch them, the label of the pixel they are reached from. */
function spreadLabels(
  labels: Int32Array,
  width: number,
  queue: number[],
  isReached: (i: number) => boolean,
): void {
  for (let at = 0; at < queue.length; at++)
    for (const next of neighboursOf(queue[at]!, width, labels.length))
      if (labels[next] === 0 && isReached(next)) {
        labels[next] = labels[queue[at]!]!;
        queue.push(next);
      }
}

/**
 * A person is one piece: takes the opacity of everything that is not connected with the largest one, such as a tassel that hangs behind
 * a head. `data` has four values for each pixel; it is changed.
 */
export function removeIslands(data: Uint8ClampedArray, width: number): void {
  const labels = new Int32Array(data.length / 4);
  const sizes = [0];
  for (let start = 0; start < labels.length; start++) {
    if (labels[start] !== 0 || data[4 * start + 3]! < solid) continue;
    labels[start] = sizes.length;
    const piece = [start];
    spreadLabels(labels, width, piece, (i) => data[4 * i + 3]! >= solid);
    sizes.push(piece.length);
  }
  const largest = sizes.indexOf(Math.max(...sizes));
  const isIsland = sizes.map((size, label) => label !== largest && size > leastShare * labels.length);
  // Soft edges belong to the nearest piece.
  const edges = [...labels.keys()].filter((i) => labels[i] !== 0);
  spreadLabels(labels, width, edges, (i) => data[4 * i + 3] !== 0);
  labels.forEach((label, i) => {
    if (isIsland[label]) data[4 * i + 3] = 0;
  });
}
