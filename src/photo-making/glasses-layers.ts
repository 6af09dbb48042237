import type { PhotoArea } from "../protocol/characters/photo-character.ts";
import { leftEye, rightEye } from "../photo/landmarks.ts";
import { clamp, type Point, smooth } from "../photo/numbers.ts";
import { distanceInside, imageOf, type SourcePicture } from "./source-picture.ts";
import { distancesFrom } from "./kept-background.ts";
import { type Colours, fillGaps } from "./fill.ts";

/** Eyes with their lashes, and brows, are no frames. Around them, in millimetres. */
const lashesMm = 4;
const browsMm = 1;
/** At the sides of the face hair begins: there a frame's ends are left as they are, in millimetres. */
const sidesMm = 6;

/** What a pixel belongs to, before glasses are looked for. */
export const ground = { skin: 0, brow: 1, lashes: 2, eye: 3 } as const;

/** The part of a picture where glasses may be. */
export interface GlassesRegion extends PhotoArea {
  /** The `ground` of each pixel. A frame is looked for on skin. */
  readonly grounds: Uint8Array;
  readonly middleX: number;
  readonly eyeY: number;
}

/** Where a frame may be: between the brows and the cheeks, within the face, but not on eyes and brows. */
export function glassesRegion({ landmarks, pxPerMm: mm, size }: SourcePicture): GlassesRegion {
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
  const grounds = new Uint8Array(Math.max(0, width * height));
  for (let i = 0; i < grounds.length; i++) {
    const [px, py] = [x + (i % width) + 0.5, y + Math.floor(i / width) + 0.5];
    const inEye = Math.max(...eyes.map((eye) => distanceInside(eye, px, py)));
    if (inEye > -lashesMm * mm) grounds[i] = inEye > 0 ? ground.eye : ground.lashes;
    else if (brows.some((brow) => distanceInside(brow, px, py) > -browsMm * mm)) grounds[i] = ground.brow;
  }
  return {
    ...{ x, y, width, height, grounds, eyeY },
    middleX: (at(leftEye.iris)[0] + at(rightEye.iris)[0]) / 2,
  };
}

/** Glasses that were found: their frame as a layer, and where it lies in the picture. */
export interface Glasses {
  readonly area: PhotoArea;
  readonly frame: ImageData;
  /** The same part of the picture without the frame. */
  readonly behind: ImageData;
}

/** Within this distance of the frame skin is filled in; up to there the layer fades out. In millimetres. */
const reachMm = { filled: 1.1, faded: 1.9, beforeLashes: 0.9 } as const;
/** How much the skin beside an eye, often in the shadow of the brow, counts for what is filled in. */
const lashesShare = 0.3;
/** At the edges of the region the frame goes over into what is left on the skin: no edge is seen when the head turns. */
const edgeMm = 5;

/**
 * Cuts glasses out. Where skin is filled in, the layer covers it wholly with the photograph's own pixels: a face that does not move is
 * the photograph.
 */
export function cutGlasses(frame: Uint8Array, region: GlassesRegion, colours: Colours, mm: number): Glasses {
  const { x, y, width, height, grounds } = region;
  const distances = distancesFrom(frame, width).map((px) => px / mm);
  const atEdges = distances.map((_, i) => {
    const [px, py] = [i % width, Math.floor(i / width)];
    return smooth(0, edgeMm * mm, Math.min(px, py, width - 1 - px, height - 1 - py));
  });
  const isFilled = distances.map((away, i) =>
    frame[i] || (away <= reachMm.filled && grounds[i]! < ground.lashes) ? 1 : 0,
  );
  // Above, the layer is opaque before skin is filled in below it. Lashes and lids move behind it.
  const opacity = distances.map((away, i) => {
    if (grounds[i] === ground.eye) return 0;
    const isNearEye = grounds[i] === ground.lashes;
    const soft = isNearEye
      ? smooth(0, reachMm.beforeLashes, away)
      : smooth(reachMm.filled, reachMm.faded, away);
    return (1 - soft) * clamp(2 * atEdges[i]!);
  });
  const image = imageOf(colours, (i) => opacity[i]!);
  const filled: Colours = { ...colours, values: colours.values.slice() };
  const weights = [1, 0, lashesShare, 0];
  fillGaps(
    filled,
    isFilled.map((value, i) => (value ? 0 : weights[grounds[i]!]!)),
  );
  isFilled.forEach((value, i) => {
    const share = value * clamp(2 * atEdges[i]! - 1);
    for (let c = 0; c < 3; c++) {
      const own = colours.values[3 * i + c]!;
      filled.values[3 * i + c] = own + (filled.values[3 * i + c]! - own) * share;
    }
  });
  return { area: { x, y, width, height }, frame: image, behind: imageOf(filled, () => 1) };
}
