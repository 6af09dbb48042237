import type { PhotoArea } from "../protocol/photo-character.ts";

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
