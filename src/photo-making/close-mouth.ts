import { measureFace, type Face } from "../photo/face.ts";
import { lipLines } from "../photo/landmarks.ts";
import { displacementsAt } from "../photo/moves.ts";
import { bell, heightAt, smooth, type Point } from "../photo/numbers.ts";
import type { Landmark } from "./detect.ts";

/** How much of the way to each other the upper lip goes. The lower one goes with the jaw. */
const upperShare = 0.36;
/** Teeth shine through the edge of the lips' red: so much of it is left out, in millimetres. */
const edgeMm = 0.5;
/** How much of a smile is undone, in the shares of a pose: what is left looks friendly, and not stretched. */
const undone = 0.7;
/** The line between the lips is so much darker, and that wide. */
const seam = { share: 0.34, mm: 0.7 } as const;

/** A mouth that is open, in millimetres of the face. */
interface OpenMouth {
  readonly face: Face;
  readonly upper: readonly Point[];
  readonly lower: readonly Point[];
  readonly halfMm: number;
}

function openMouth(size: number, landmarks: readonly Landmark[]): OpenMouth {
  const face = measureFace({ size, landmarks: landmarks.flat() });
  const line = (numbers: readonly number[], push: number): Point[] =>
    numbers.map((i, at): Point => {
      const [x, y] = face.toFace(landmarks[i]![0] * size, landmarks[i]![1] * size);
      // The corners stay together.
      return [x, y + (at === 0 || at === numbers.length - 1 ? 0 : push)];
    });
  return {
    face,
    upper: line(lipLines.upperInner, -edgeMm),
    lower: line(lipLines.lowerInner, edgeMm),
    halfMm: face.lips.halfMm,
  };
}

/** Where closed lips meet. */
function meetingAt({ upper, lower }: OpenMouth, x: number): number {
  const top = heightAt(upper, x);
  return top + (heightAt(lower, x) - top) * upperShare;
}

/** How far a point of the open mouth's picture goes when the lips close. */
function closing(mouth: OpenMouth, x: number, y: number, isUpper: boolean): number {
  const { face, upper, lower, halfMm } = mouth;
  const meeting = meetingAt(mouth, x);
  if (isUpper) {
    const top = heightAt(upper, x);
    return (meeting - top) * (1 - smooth(2, -face.noseY * 0.9, top - y));
  }
  const bottom = heightAt(lower, x);
  const below = y - bottom;
  // Farther down, the chin goes up as a whole.
  const deep = smooth(4, 22, below);
  const own = meeting - bottom;
  const jaw = (meetingAt(mouth, 0) - heightAt(lower, 0)) * bell(x, halfMm * 1.5);
  const share = (1 - 0.55 * smooth(3, 24, below)) * (1 - smooth(face.chinY - 6, face.chinY + 30, y));
  return (own + (jaw - own) * deep) * share;
}

/** The point of the picture that comes to a place of the new one, both in millimetres, and its distance from the seam. */
function sourceOf(mouth: OpenMouth, x: number, y: number): { from: Point; seamMm: number } {
  let [px, py] = [x, y];
  for (let i = 0; i < 4; i++) {
    const [dx, dy] = displacementsAt(mouth.face, px, py, py < meetingAt(mouth, px) ? -1 : 1).smile;
    [px, py] = [x + undone * dx, y + undone * dy];
  }
  const seamMm = py - meetingAt(mouth, px);
  const isUpper = seamMm < 0;
  let from = py;
  for (let i = 0; i < 8; i++) from = py - closing(mouth, px, from, isUpper);
  const edge = heightAt(isUpper ? mouth.upper : mouth.lower, px);
  return { from: [px, isUpper ? Math.min(from, edge) : Math.max(from, edge)], seamMm };
}

/** A channel between four pixels. */
function mixed({ data, width, height }: ImageData, x: number, y: number, channel: number): number {
  const fx = Math.min(width - 1.001, Math.max(0, x - 0.5));
  const fy = Math.min(height - 1.001, Math.max(0, y - 0.5));
  const [ix, iy] = [Math.floor(fx), Math.floor(fy)];
  const at = (px: number, py: number): number => data[4 * (py * width + px) + channel]!;
  const upper = at(ix, iy) + (at(ix + 1, iy) - at(ix, iy)) * (fx - ix);
  const lower = at(ix, iy + 1) + (at(ix + 1, iy + 1) - at(ix, iy + 1)) * (fx - ix);
  return upper + (lower - upper) * (fy - iy);
}

/**
 * Closes the lips of a smile in a square picture: they are warped together, the chin follows, and the smile is partly undone. The
 * inside of the mouth is painted anew for every character, so nothing of the teeth is needed.
 */
export function closeMouth(picture: ImageData, landmarks: readonly Landmark[]): ImageData {
  const mouth = openMouth(picture.width, landmarks);
  const { face, halfMm } = mouth;
  const closed = new ImageData(picture.data.slice(), picture.width, picture.height);
  const [left, right] = [-halfMm - 42, halfMm + 42];
  const [top, bottom] = [face.noseY - 8, face.chinY + 32];
  for (let py = 0; py < picture.height; py++)
    for (let px = 0; px < picture.width; px++) {
      const [x, y] = face.toFace(px + 0.5, py + 0.5);
      if (x < left || x > right || y < top || y > bottom) continue;
      const { from, seamMm } = sourceOf(mouth, x, y);
      const [fromX, fromY] = face.toPicture(...from);
      const along = 1 - smooth(0.8, 1, Math.abs(from[0]) / halfMm);
      const light = 1 - seam.share * bell(seamMm, seam.mm) * along;
      for (let c = 0; c < 3; c++)
        closed.data[4 * (py * picture.width + px) + c] = mixed(picture, fromX, fromY, c) * light;
    }
  return closed;
}
