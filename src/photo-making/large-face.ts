import type { PhotoArea } from "../protocol/photo-character.ts";
import { cheeks, chin, forehead } from "../photo/landmarks.ts";
import type { Detector, Landmark } from "./detect.ts";
import { canvasOf, PhotoRefusal } from "./picture-file.ts";
import { isSameFace, surroundings, tilesOf } from "./tiles.ts";

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
