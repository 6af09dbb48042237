import { cutGlasses, type Glasses, type GlassesRegion, glassesRegion, ground } from "./glasses-layers.ts";
import { cheekMiddles, leftEye, rightEye } from "../photo/landmarks.ts";
import { brightnessOf, coloursAt, coloursOf, type SourcePicture } from "./source-picture.ts";
import type { Point } from "../photo/numbers.ts";

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
function addBrowPixels(
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
function addReflections(frame: Uint8Array, region: GlassesRegion, contrasts: Float32Array, mm: number): void {
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

/** A dark lens has at most this share of the cheeks' brightness. */
const darkShare = 0.42;
/** So much of what is around an eye lies behind a dark lens: a shadow, or black around the eyes, leaves more. */
const leastCovered = 0.85;
/** The area of one lens in square millimetres. */
const lensMm2 = { least: 350, most: 2_600 } as const;
/** Over the nose there is only a bridge: what is higher is a bar or a mask. */
const mostBridgeMm = 18;

/** The pixels beside, above and below one. */
function neighboursOf(i: number, width: number, count: number): number[] {
  const x = i % width;
  return [x > 0 ? i - 1 : -1, x < width - 1 ? i + 1 : -1, i - width, i + width].filter(
    (next) => next >= 0 && next < count,
  );
}

/** The dark pixels around both eyes; null where an eye can be seen. */
function darkEyes(isDark: Uint8Array, { grounds, width, x, middleX }: GlassesRegion): number[] | null {
  const found: number[] = [];
  for (const side of [-1, 1]) {
    const around = [...grounds.keys()].filter(
      (i) => grounds[i]! >= ground.lashes && (x + (i % width) - middleX) * side > 0,
    );
    const dark = around.filter((i) => isDark[i]);
    if (around.length === 0 || dark.length < leastCovered * around.length) return null;
    found.push(...dark);
  }
  return found;
}

/** Fills what has pixels of the mask on all four sides, on its side of the nose: lenses reflect light. */
function fillHoles(mask: Uint8Array, width: number, noseX: number): void {
  const height = mask.length / width;
  const within = new Uint8Array(mask.length);
  const mark = (line: readonly number[]): void => {
    const [first, last] = [line.findIndex((i) => mask[i]), line.findLastIndex((i) => mask[i])];
    line.forEach((i, at) => (within[i]! += first >= 0 && at >= first && at <= last ? 1 : 0));
  };
  for (let y = 0; y < height; y++) {
    const row = Array.from({ length: width }, (_, px) => y * width + px);
    mark(row.slice(0, noseX));
    mark(row.slice(noseX));
  }
  for (let px = 0; px < width; px++) mark(Array.from({ length: height }, (_, y) => y * width + px));
  within.forEach((count, i) => {
    if (count === 2) mask[i] = 1;
  });
}

/** Whether pixels are a pair of lenses, by their areas and what is over the nose. */
function isPair(mask: Uint8Array, width: number, noseX: number, mm: number): boolean {
  const areas = [0, 0];
  let bridge = 0;
  mask.forEach((isThere, i) => {
    if (!isThere) return;
    areas[i % width < noseX ? 0 : 1]! += 1 / mm ** 2;
    if (i % width === noseX) bridge += 1 / mm;
  });
  return areas.every((area) => area > lensMm2.least && area < lensMm2.most) && bridge < mostBridgeMm;
}

/** The pixels of lenses that are too dark to see the eyes behind them, with what of their frame is as dark. Null: there are none. */
function darkLenses(source: SourcePicture, region: GlassesRegion, values: Float32Array): Uint8Array | null {
  const { grounds, width, x, middleX } = region;
  const cheeks = cheekMiddles.map((i) => brightnessOf(...coloursAt(source, ...source.landmarks[i]!)));
  const most = (darkShare * (cheeks[0]! + cheeks[1]!)) / 2;
  const isDark = Uint8Array.from(grounds, (_, i) =>
    brightnessOf(values[3 * i]!, values[3 * i + 1]!, values[3 * i + 2]!) < most ? 1 : 0,
  );
  const queue = darkEyes(isDark, region);
  if (queue === null) return null;
  const mask = new Uint8Array(grounds.length);
  for (const i of queue) mask[i] = 1;
  for (let at = 0; at < queue.length; at++)
    for (const next of neighboursOf(queue[at]!, width, mask.length))
      if (isDark[next] && !mask[next]) {
        mask[next] = 1;
        queue.push(next);
      }
  const noseX = Math.round(middleX - x);
  fillHoles(mask, width, noseX);
  return isPair(mask, width, noseX, source.pxPerMm) ? mask : null;
}

/** How far the colours of a frame are from those of the skin around it: surely, and where it ends. */
const contrast = { sure: 62, edge: 30 } as const;
/** The same where somebody says that there are glasses: thin and light frames count too. */
const saidContrast = { sure: 34, edge: 18 } as const;
/** What is brighter than skin is mostly light on it, so that it counts less. */
const brightShare = 0.45;
/** Skin is judged within this distance. */
const skinMm = 8;
/** The least and the greatest area of a frame in square millimetres. */
const frameMm2 = { least: 90, most: 2_600 } as const;

/** For each pixel how far its colour is from that of the skin around it: what is brighter is above 0, what is darker below. */
function contrasts(region: GlassesRegion, values: Float32Array, mm: number): Float32Array {
  const { width, height, grounds } = region;
  const step = Math.max(2, Math.round(1.5 * mm));
  const reach = Math.round(skinMm * mm);
  const stride = Math.max(1, Math.round(0.7 * mm));
  const columns = Math.ceil(width / step) + 1;
  const skin = new Float32Array(3 * columns * (Math.ceil(height / step) + 1));
  for (let q = 0; q < skin.length / 3; q++) {
    const [cx, cy] = [(q % columns) * step, Math.floor(q / columns) * step];
    const found: number[][] = [[], [], []];
    for (let y = Math.max(0, cy - reach); y < Math.min(height, cy + reach); y += stride)
      for (let x = Math.max(0, cx - reach); x < Math.min(width, cx + reach); x += stride)
        if (grounds[y * width + x] === ground.skin)
          found.forEach((list, c) => list.push(values[3 * (y * width + x) + c]!));
    // Frames are mostly darker than skin, so the usual colour is a little brighter than the middle.
    found.forEach(
      // Sorted as a typed array, which takes a third of the time that calls of a function take.
      (list, c) => (skin[3 * q + c] = Float32Array.from(list).sort()[Math.floor(list.length * 0.6)] ?? 0),
    );
  }
  return Float32Array.from(grounds, (_, i) => {
    const [column, row] = [Math.round((i % width) / step), Math.round(Math.floor(i / width) / step)];
    const q = row * columns + column;
    const differences = [0, 1, 2].map((c) => values[3 * i + c]! - skin[3 * q + c]!);
    const isBrighter = differences.reduce((sum, value) => sum + value, 0) > 0;
    return Math.hypot(...differences) * (isBrighter ? 1 : -1);
  });
}

/** The connected pixels around `start`; they are taken out of `isLeft`. */
function connected(start: number, isLeft: Uint8Array, width: number): number[] {
  const found = [start];
  isLeft[start] = 0;
  for (let at = 0; at < found.length; at++) {
    const [x, y] = [found[at]! % width, Math.floor(found[at]! / width)];
    // Two pixels far: a reflection does not part a frame.
    for (let dy = -2; dy <= 2; dy++)
      for (let dx = -2; dx <= 2; dx++) {
        const next = (y + dy) * width + x + dx;
        if (x + dx < 0 || x + dx >= width || !isLeft[next]) continue;
        isLeft[next] = 0;
        found.push(next);
      }
  }
  return found;
}

/** Whether pixels are a frame: it goes over the nose, around both eyes, and has the area of one. */
function isFrame(
  pixels: readonly number[],
  region: GlassesRegion,
  { landmarks, pxPerMm: mm }: SourcePicture,
): boolean {
  const { x, y, width, middleX, eyeY } = region;
  const area = pixels.length / mm ** 2;
  if (area < frameMm2.least || area > frameMm2.most) return false;
  const places = pixels.map((i): Point => [x + (i % width), y + Math.floor(i / width)]);
  const isOnNose = places.some(([px, py]) => Math.abs(px - middleX) < 4 * mm && py < eyeY + 14 * mm);
  return (
    isOnNose &&
    [leftEye, rightEye].every(({ iris }) => {
      const [ex, ey] = landmarks[iris]!;
      const around = places.filter(([px]) => Math.abs(px - ex) < 9 * mm).map(([, py]) => py - ey);
      const isBeyond = places.some(([px]) => (px - ex) * Math.sign(ex - middleX) > 12 * mm);
      return isBeyond && around.some((dy) => Math.abs(dy) > 6 * mm);
    })
  );
}

/** The pixels of a frame, and of the light on its lenses; null: there is none. */
function frameOf(
  source: SourcePicture,
  region: GlassesRegion,
  values: Float32Array,
  isSaid: boolean,
): Uint8Array | null {
  const { pxPerMm: mm } = source;
  const { sure, edge } = isSaid ? saidContrast : contrast;
  const found = contrasts(region, values, mm);
  const strengths = found.map((value, i) =>
    region.grounds[i] === ground.skin ? Math.max(-value, value * brightShare) : 0,
  );
  const isLeft = Uint8Array.from(strengths, (value) => (value > edge ? 1 : 0));
  const frame = new Uint8Array(found.length);
  for (let i = 0; i < found.length; i++) {
    if (!isLeft[i] || strengths[i]! < sure) continue;
    const pixels = connected(i, isLeft, region.width);
    if (isFrame(pixels, region, source)) for (const k of pixels) frame[k] = 1;
  }
  if (!frame.includes(1)) return null;
  addBrowPixels(
    frame,
    region,
    values,
    found.map((value) => (-value > sure ? 1 : 0)),
  );
  addReflections(frame, region, found, mm);
  return frame;
}

/** Finds glasses, and what is behind them. `isSaid`: somebody says that there are glasses. Null: there are none. */
export function findGlasses(source: SourcePicture, isSaid: boolean): Glasses | null {
  const region = glassesRegion(source);
  const { x, y, width, height, grounds } = region;
  if (width < 8 || height < 8) return null;
  const colours = coloursOf(source, { x, y, width, height });
  const lenses = darkLenses(source, region, colours.values);
  // Behind dark lenses nothing is seen: eyes and lids move there, and the lenses lie before them as a frame does.
  lenses?.forEach((isThere, i) => {
    if (isThere) grounds[i] = ground.skin;
  });
  const frame = lenses ?? frameOf(source, region, colours.values, isSaid);
  return frame && cutGlasses(frame, region, colours, source.pxPerMm);
}
