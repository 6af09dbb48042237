import { leftEye, rightEye } from "../photo/landmarks.ts";
import type { Point } from "../photo/numbers.ts";
import { addBrowPixels, addReflections } from "./glasses-extras.ts";
import { darkLenses } from "./dark-lenses.ts";
import { cutGlasses, type Glasses } from "./glasses-layers.ts";
import { glassesRegion, ground, type GlassesRegion } from "./glasses-region.ts";
import { coloursOf, type SourcePicture } from "./source-picture.ts";

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
