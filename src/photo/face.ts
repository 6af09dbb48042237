import { landmarkCount, type PhotoCharacter } from "../protocol/characters/photo-character.ts";
import { chin, leftEye, lipLines, noseBase, rightEye, type EyeLandmarks } from "./landmarks.ts";
import { heightAt, type Point } from "./numbers.ts";

/** A point of the face in millimetres: right, down and away from the viewer, from the middle between the lips. */
export type FacePoint = readonly [x: number, y: number, z: number];

/** The distance of the pupils of an adult: it says how many pixels are a millimetre. */
const pupilDistanceMm = 63;

/** An eye in millimetres. */
export interface Eye {
  readonly upper: readonly Point[];
  readonly lower: readonly Point[];
  /** Its corners. */
  readonly from: number;
  readonly to: number;
  readonly middleX: number;
  readonly browY: number;
  /** The depth of its lids. */
  readonly z: number;
}

/** The mouth in millimetres. */
export interface Lips {
  /** Where the closed lips meet. */
  readonly line: readonly Point[];
  /** From the middle to the corners. */
  readonly leftMm: number;
  readonly rightMm: number;
  readonly halfMm: number;
  readonly cornerY: number;
}

/** A face that was measured from its landmarks. */
export interface Face {
  readonly size: number;
  /** Pixels of the picture for each millimetre. */
  readonly pxPerMm: number;
  /** Every landmark in the picture's pixels and in millimetres. */
  readonly pixels: readonly FacePoint[];
  readonly points: readonly FacePoint[];
  readonly chinY: number;
  readonly noseY: number;
  readonly lips: Lips;
  readonly eyes: readonly [Eye, Eye];
  /** Between pixels of the picture and millimetres. */
  toFace(x: number, y: number, z?: number): FacePoint;
  toPicture(x: number, y: number): Point;
}

const flat = ([x, y]: FacePoint): Point => [x, y];

function measureEye(points: readonly FacePoint[], eye: EyeLandmarks): Eye {
  const line = (numbers: readonly number[]): Point[] => numbers.map((i) => flat(points[i]!));
  const mean = (numbers: readonly number[], axis: 1 | 2): number =>
    numbers.reduce((sum, i) => sum + points[i]![axis], 0) / numbers.length;
  const upper = line(eye.upper);
  const from = upper[0]![0];
  const to = upper.at(-1)![0];
  return {
    upper,
    lower: line(eye.lower),
    from,
    to,
    middleX: (from + to) / 2,
    browY: mean(eye.brow, 1),
    z: mean([...eye.upper, ...eye.lower], 2),
  };
}

function measureLips(points: readonly FacePoint[]): Lips {
  const line = lipLines.upperInner.map((i) => flat(points[i]!));
  const leftMm = -line[0]![0];
  const rightMm = line.at(-1)![0];
  return {
    line,
    leftMm,
    rightMm,
    halfMm: (leftMm + rightMm) / 2,
    cornerY: (line[0]![1] + line.at(-1)![1]) / 2,
  };
}

/** Where closed lips meet, upper and lower lip have the same points: detectors leave a gap. */
function closeLips(points: FacePoint[]): void {
  lipLines.upperInner.forEach((upper, index) => {
    const lower = lipLines.lowerInner[index]!;
    const [a, b] = [points[upper]!, points[lower]!];
    points[upper] = points[lower] = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2];
  });
}

/** Measures the face of a character. */
export function measureFace({ size, landmarks }: Pick<PhotoCharacter, "size" | "landmarks">): Face {
  const at = (i: number): number => landmarks[i]! * size;
  const pixels: FacePoint[] = Array.from({ length: landmarkCount }, (_, i) => [
    at(3 * i),
    at(3 * i + 1),
    at(3 * i + 2),
  ]);
  closeLips(pixels);
  const [left, right] = [pixels[leftEye.iris]!, pixels[rightEye.iris]!];
  const distancePx = Math.max(1, Math.hypot(right[0] - left[0], right[1] - left[1]));
  const pxPerMm = distancePx / pupilDistanceMm;
  const [ex, ey] = [(right[0] - left[0]) / distancePx, (right[1] - left[1]) / distancePx];
  const middle = pixels[lipLines.upperInner[5]]!;
  const toFace = (x: number, y: number, z = middle[2]): FacePoint => {
    const [dx, dy] = [x - middle[0], y - middle[1]];
    return [(dx * ex + dy * ey) / pxPerMm, (dy * ex - dx * ey) / pxPerMm, (z - middle[2]) / pxPerMm];
  };
  const toPicture = (x: number, y: number): Point => [
    middle[0] + (x * ex - y * ey) * pxPerMm,
    middle[1] + (x * ey + y * ex) * pxPerMm,
  ];
  const points = pixels.map(([x, y, z]) => toFace(x, y, z));
  return {
    ...{ size, pxPerMm, pixels, points, toFace, toPicture },
    chinY: points[chin]![1],
    noseY: points[noseBase]![1],
    lips: measureLips(points),
    eyes: [measureEye(points, leftEye), measureEye(points, rightEye)],
  };
}

/** The height of the line between the lips. */
export const lipLineAt = ({ line }: Lips, x: number): number => heightAt(line, x);
