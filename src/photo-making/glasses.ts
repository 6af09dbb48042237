import type { PhotoArea } from "../protocol/photo-character.ts";
import { leftEye, rightEye } from "../photo/landmarks.ts";
import { smooth, type Point } from "../photo/numbers.ts";
import { fillGaps } from "./fill.ts";
import { coloursOf, distanceInside, imageOf, type SourcePicture } from "./source-picture.ts";

/** Glasses that were found: their frame as a layer, and where it lies in the picture. */
export interface Glasses {
  readonly area: PhotoArea;
  readonly frame: ImageData;
  /** The same part of the picture without the frame. */
  readonly behind: ImageData;
}

/** How far the colours of a frame are from those of the skin around it: surely, and where it ends. */
const contrast = { sure: 62, edge: 30 } as const;
/** The same where somebody says that there are glasses: thin and light frames count too. */
const saidContrast = { sure: 34, edge: 18 } as const;
/** Eyes with their lashes, and brows, are no frames. Around them, in millimetres. */
const lashesMm = 2.6;
const browsMm = 1;
/** At the sides of the face hair begins: there a frame's ends are left as they are, in millimetres. */
const sidesMm = 6;
/** What is brighter than skin is mostly light on it, so that it counts less. */
const brightShare = 0.45;
/** Skin is judged within this distance. */
const skinMm = 8;
/** The least and the greatest area of a frame in square millimetres. */
const frameMm2 = { least: 90, most: 2_600 } as const;

interface Region extends PhotoArea {
  /** 1 where a frame may be. */
  readonly open: Uint8Array;
  readonly middleX: number;
  readonly eyeY: number;
}

/** Where a frame may be: between the brows and the cheeks, within the face, but not on eyes and brows. */
function regionOf({ landmarks, pxPerMm: mm, size }: SourcePicture): Region {
  const at = (i: number): Point => landmarks[i]!;
  const brows = [leftEye, rightEye].map(({ brow }): Point[] => {
    const [upper, lower] = [brow.slice(0, 5), brow.slice(5)];
    return [...upper, ...lower.reverse()].map(at);
  });
  const eyes = [leftEye, rightEye].map(({ upper, lower }) =>
    [...upper, ...lower.slice(1, -1).reverse()].map(at),
  );
  const eyeY = (at(leftEye.iris)[1] + at(rightEye.iris)[1]) / 2;
  const inPicture = (value: number): number => Math.min(size, Math.max(0, Math.round(value)));
  const x = inPicture(at(127)[0] + sidesMm * mm);
  const y = inPicture(Math.min(...brows.flat().map(([, py]) => py)) - 2 * mm);
  const [width, height] = [inPicture(at(356)[0] - sidesMm * mm) - x, inPicture(eyeY + 32 * mm) - y];
  const open = new Uint8Array(Math.max(0, width * height));
  for (let i = 0; i < open.length; i++) {
    const [px, py] = [x + (i % width) + 0.5, y + Math.floor(i / width) + 0.5];
    const isEye = eyes.some((eye) => distanceInside(eye, px, py) > -lashesMm * mm);
    const isBrow = brows.some((brow) => distanceInside(brow, px, py) > -browsMm * mm);
    open[i] = isEye || isBrow ? 0 : 1;
  }
  return {
    ...{ x, y, width, height, open, eyeY },
    middleX: (at(leftEye.iris)[0] + at(rightEye.iris)[0]) / 2,
  };
}

/** For each pixel how far its colour is from the usual one around it. */
function contrasts(region: Region, values: Float32Array, mm: number): Float32Array {
  const { width, height, open } = region;
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
        if (open[y * width + x]) found.forEach((list, c) => list.push(values[3 * (y * width + x) + c]!));
    // Frames are mostly darker than skin, so the usual colour is a little brighter than the middle.
    found.forEach(
      (list, c) => (skin[3 * q + c] = list.sort((a, b) => a - b)[Math.floor(list.length * 0.6)] ?? 0),
    );
  }
  return Float32Array.from(open, (isOpen, i) => {
    if (!isOpen) return 0;
    const [column, row] = [Math.round((i % width) / step), Math.round(Math.floor(i / width) / step)];
    const q = row * columns + column;
    const differences = [0, 1, 2].map((c) => values[3 * i + c]! - skin[3 * q + c]!);
    const isBrighter = differences.reduce((sum, value) => sum + value, 0) > 0;
    return Math.hypot(...differences) * (isBrighter ? brightShare : 1);
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
  region: Region,
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

/** Finds the frame of glasses, and what is behind it. `isSaid`: somebody says that there are glasses. Null: there are none. */
export function findGlasses(source: SourcePicture, isSaid: boolean): Glasses | null {
  const { pxPerMm: mm } = source;
  const region = regionOf(source);
  const { x, y, width, height } = region;
  if (width < 8 || height < 8) return null;
  const area = { x, y, width, height };
  const colours = coloursOf(source, area);
  const { sure, edge } = isSaid ? saidContrast : contrast;
  const found = contrasts(region, colours.values, mm);
  const isLeft = Uint8Array.from(found, (value) => (value > edge ? 1 : 0));
  const frame = new Float32Array(found.length);
  for (let i = 0; i < found.length; i++) {
    if (!isLeft[i] || found[i]! < sure) continue;
    const pixels = connected(i, isLeft, width);
    if (isFrame(pixels, region, source)) for (const k of pixels) frame[k] = 1;
  }
  if (!frame.includes(1)) return null;
  const rim = grown(frame, width, Math.max(1, Math.round(0.5 * mm)));
  const covered = grown(frame, width, Math.max(2, Math.round(1.1 * mm)));
  const opacity = rim.map((value, i) => value * smooth(edge * 0.4, sure, found[i]!));
  const image = imageOf(colours, (i) => opacity[i]!);
  fillGaps(
    colours,
    covered.map((value) => 1 - value),
  );
  return { area, frame: image, behind: imageOf(colours, () => 1) };
}

/** Everything within `reach` pixels too. */
function grown(mask: Float32Array, width: number, reach: number): Float32Array {
  const out = mask.slice();
  for (let i = 0; i < mask.length; i++) {
    if (!mask[i]) continue;
    const [x, y] = [i % width, Math.floor(i / width)];
    for (let dy = -reach; dy <= reach; dy++)
      for (let dx = -reach; dx <= reach; dx++) {
        const next = (y + dy) * width + x + dx;
        if (x + dx >= 0 && x + dx < width && next >= 0 && next < out.length) out[next] = 1;
      }
  }
  return out;
}
