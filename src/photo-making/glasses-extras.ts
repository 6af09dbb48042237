import { ground, type GlassesRegion } from "./glasses-region.ts";

/** What lies over a brow and has nearly the colour of the frame beside it belongs to the frame: a distance of colours. */
const sameColour = 50;
/** A reflection is this much brighter than the skin, and has an area of so many square millimetres. */
const reflection = { brighter: 75, least: 1.2, most: 160 } as const;

/** The pixels beside one, within a picture of this width. */
function* neighbours(i: number, width: number, count: number): Generator<number> {
  const x = i % width;
  for (let dy = -1; dy <= 1; dy++)
    for (let dx = -1; dx <= 1; dx++) {
      const next = i + dy * width + dx;
      if (x + dx >= 0 && x + dx < width && next >= 0 && next < count && next !== i) yield next;
    }
}

/** Adds what of the frame lies over brows: `isDark` says where a pixel is clearly darker than skin. */
export function addBrowPixels(
  frame: Uint8Array,
  { grounds, width }: GlassesRegion,
  values: Float32Array,
  isDark: ArrayLike<number>,
): void {
  // Each pixel is compared with the frame's pixel that it is reached from, so that a brow's own hair is not followed.
  const seeds = Int32Array.from(frame, (isThere, i) => (isThere ? i : -1));
  const queue = [...seeds].filter((seed) => seed >= 0);
  for (let at = 0; at < queue.length; at++) {
    const i = queue[at]!;
    const seed = seeds[i]!;
    for (const next of neighbours(i, width, frame.length)) {
      if (frame[next] || grounds[next] !== ground.brow || !isDark[next]) continue;
      const differences = [0, 1, 2].map((c) => values[3 * next + c]! - values[3 * seed + c]!);
      if (Math.hypot(...differences) > sameColour) continue;
      frame[next] = 1;
      seeds[next] = seed;
      queue.push(next);
    }
  }
}

/** The box around the frame's pixels on one side of the nose. */
function lensBox(frame: Uint8Array, { x, width, middleX }: GlassesRegion, side: -1 | 1) {
  const box = { left: Infinity, right: -1, top: Infinity, bottom: -1 };
  frame.forEach((isThere, i) => {
    const px = i % width;
    if (!isThere || (x + px - middleX) * side < 0) return;
    const py = Math.floor(i / width);
    box.left = Math.min(box.left, px);
    box.right = Math.max(box.right, px);
    box.top = Math.min(box.top, py);
    box.bottom = Math.max(box.bottom, py);
  });
  return box;
}

/** Adds light that is reflected by the lenses: it stays where it is when an eye closes behind it. Light in the eyes is theirs. */
export function addReflections(
  frame: Uint8Array,
  region: GlassesRegion,
  contrasts: Float32Array,
  mm: number,
): void {
  const { grounds, width } = region;
  const boxes = [lensBox(frame, region, -1), lensBox(frame, region, 1)];
  const isLeft = Uint8Array.from(contrasts, (value, i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    const isOnLens = boxes.some((b) => x > b.left && x < b.right && y > b.top && y < b.bottom);
    return isOnLens && !frame[i] && grounds[i] !== ground.eye && value > reflection.brighter ? 1 : 0;
  });
  for (let start = 0; start < isLeft.length; start++) {
    if (!isLeft[start]) continue;
    isLeft[start] = 0;
    const found = [start];
    for (let at = 0; at < found.length; at++)
      for (const next of neighbours(found[at]!, width, frame.length))
        if (isLeft[next]) {
          isLeft[next] = 0;
          found.push(next);
        }
    const area = found.length / mm ** 2;
    if (area >= reflection.least && area <= reflection.most) for (const i of found) frame[i] = 1;
  }
}
