import type { PhotoArea } from "../protocol/photo-character.ts";
import { leftEye, rightEye } from "../photo/landmarks.ts";
import type { Point } from "../photo/numbers.ts";
import { distanceInside, type SourcePicture } from "./source-picture.ts";

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
