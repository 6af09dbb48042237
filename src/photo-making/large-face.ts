import type { PhotoArea } from "../protocol/characters/photo-character.ts";
import { cheeks, chin, forehead } from "../photo/landmarks.ts";
import type { Detector, Landmark } from "./detect.ts";
import { canvasOf, PhotoRefusal } from "./picture-file.ts";

/** The sides of tiles, in shares of a picture's longer side: the detector finds no face that is smaller than a sixth of what it is shown. */
const shares = [1 / 2, 1 / 3];

/** Errors of this size are no reason for one more tile. */
const rounding = 1e-6;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Where tiles of this side begin along a length: each covers half of the one before, or a little more. */
function starts(length: number, side: number): number[] {
  const most = Math.max(0, length - side);
  const count = Math.ceil(most / (side / 2) - rounding) + 1;
  return Array.from({ length: count }, (_, i) => (count === 1 ? 0 : (most * i) / (count - 1)));
}

/** The tiles of a picture in which a small face is looked for: first the larger ones, then the smaller ones, each from above. */
export function tilesOf({ width, height }: Size): PhotoArea[][] {
  return shares.map((share) => {
    const side = Math.max(width, height) * share;
    const [across, down] = [Math.min(side, width), Math.min(side, height)];
    return starts(height, down).flatMap((y) =>
      starts(width, across).map((x) => ({ x, y, width: across, height: down })),
    );
  });
}

/** How much around a face is shown, in heights of the face: enough for the widest framing and a tall hat. */
const around = { beside: 2, above: 1.75, below: 2.25 } as const;

/** What is around a face within a picture. */
export function surroundings(face: PhotoArea, { width, height }: Size): PhotoArea {
  const [middleX, middleY] = [face.x + face.width / 2, face.y + face.height / 2];
  const x = Math.max(0, middleX - around.beside * face.height);
  const y = Math.max(0, middleY - around.above * face.height);
  return {
    ...{ x, y },
    width: Math.min(width, middleX + around.beside * face.height) - x,
    height: Math.min(height, middleY + around.below * face.height) - y,
  };
}

/** Whether two found faces are the same one, seen in two tiles. */
export function isSameFace(a: PhotoArea, b: PhotoArea): boolean {
  const across = a.x + a.width / 2 - b.x - b.width / 2;
  const down = a.y + a.height / 2 - b.y - b.height / 2;
  return Math.hypot(across, down) < Math.max(a.height, b.height) / 2;
}

/** The longest side that is worked on, and that of a tile in which a face is looked for, in pixels. */
const workingPx = 1_600;
const tilePx = 640;

/** A face with less than this share of what is worked on is worked on with more of the photograph's pixels, if it has them. */
const largeShare = 0.2;

function scaled(photograph: ImageBitmap, area: PhotoArea, most: number): HTMLCanvasElement {
  const { x, y, width, height } = area;
  const scale = Math.min(1, most / Math.max(width, height));
  const toPixels = (length: number): number => Math.max(1, Math.round(length * scale));
  return canvasOf(photograph, [x, y, width, height], toPixels(width), toPixels(height));
}

/** Where a face is in a photograph. `area` is what the detector was shown of it. */
function placeOf(landmarks: readonly Landmark[], area: PhotoArea): PhotoArea {
  const [left, right] = [landmarks[cheeks[0]]![0], landmarks[cheeks[1]]![0]];
  const [top, bottom] = [landmarks[forehead]![1], landmarks[chin]![1]];
  return {
    x: area.x + left * area.width,
    y: area.y + top * area.height,
    width: (right - left) * area.width,
    height: (bottom - top) * area.height,
  };
}

/** The only face that is found in some tiles. Throws a PhotoRefusal if there are several. */
async function faceInTiles(
  detector: Detector,
  photograph: ImageBitmap,
  tiles: readonly PhotoArea[],
): Promise<PhotoArea | undefined> {
  const found: PhotoArea[] = [];
  for (const tile of tiles)
    for (const landmarks of await detector.faces(scaled(photograph, tile, tilePx))) {
      const place = placeOf(landmarks, tile);
      if (!found.some((known) => isSameFace(known, place))) found.push(place);
    }
  if (found.length > 1) throw new PhotoRefusal(["several_faces"]);
  return found[0];
}

/**
 * A photograph of one person as it is worked on: all of it, or what is around a face that is small in it. Throws a PhotoRefusal if there
 * is no face, or more than one.
 */
export async function withLargeFace(detector: Detector, photograph: ImageBitmap): Promise<HTMLCanvasElement> {
  const whole = { x: 0, y: 0, width: photograph.width, height: photograph.height };
  const picture = scaled(photograph, whole, workingPx);
  const [first, ...others] = await detector.faces(picture);
  if (others.length > 0) throw new PhotoRefusal(["several_faces"]);
  const hasMore = picture.width < photograph.width;
  let face = first && placeOf(first, whole);
  if (face && (!hasMore || face.height > largeShare * Math.max(whole.width, whole.height))) return picture;
  for (const tiles of tilesOf(whole)) face ??= await faceInTiles(detector, photograph, tiles);
  if (!face) throw new PhotoRefusal(["no_face"]);
  return scaled(photograph, surroundings(face, whole), workingPx);
}
