import { bell, clamp, heightAt, smooth } from "./numbers.ts";
import { lipLineAt, type Eye, type Face } from "./face.ts";

/** What moves a face. Each is a field of displacements: how far each of its points goes, in millimetres. */
export const moves = [
  "jaw",
  "upperLip",
  "lowerLip",
  "wide",
  "pucker",
  "press",
  "rollLower",
  "round",
  "smile",
  "blinkLeft",
  "blinkRight",
  "brows",
  "concern",
  "breath",
] as const;
export type Move = (typeof moves)[number];

/** A displacement [right, down] for each move. */
export type Displacements = Record<Move, [number, number]>;

/** Which lip a point belongs to: -1 upper, 1 lower, 0 by its position. */
export type LipSide = -1 | 0 | 1;

/** The distance of the jaw's joints from the middle. */
const jointMm = 62;
/** How far the corners of the mouth go with the jaw. */
const cornerShare = 0.34;

/** What the fields around the mouth know of a point. */
interface MouthPoint {
  readonly x: number;
  /** Distance from the middle, and its side. */
  readonly ax: number;
  readonly sign: number;
  readonly y: number;
  /** Height above (negative) or below the line between the lips. */
  readonly dy: number;
  readonly side: number;
  /** Half the mouth on this side. */
  readonly half: number;
  /** The opening of a mouth at this place: 1 in the middle, 0 at the corners. A round one ends before them: there the lips touch. */
  readonly opening: number;
  readonly roundOpening: number;
}

/** How far a round opening reaches, as a share of the mouth. */
const roundShare = 0.76;

function mouthPoint({ lips }: Face, x: number, y: number, lipSide: LipSide): MouthPoint {
  const half = x < 0 ? lips.leftMm : lips.rightMm;
  const dy = y - lipLineAt(lips, x);
  const share = Math.abs(x) / half;
  const arc = (at: number): number => (at >= 1 ? 0 : (1 - at * at) ** 0.55);
  return {
    ...{ x, y, dy, half, ax: Math.abs(x), sign: Math.sign(x) },
    side: lipSide || (dy < 0 ? -1 : 1),
    opening: arc(share),
    roundOpening: arc(share / roundShare),
  };
}

/** The jaw turns about its joints: the chin goes down, the cheeks follow less, and the corners of the mouth a third. */
function moveJaw({ noseY, chinY }: Face, point: MouthPoint): [number, number] {
  const { ax, dy, half, opening } = point;
  const dx = -0.05 * point.sign * Math.exp(-(((ax - half) / 14) ** 2) - (dy / 12) ** 2) * Math.min(1, ax / 8);
  const nearMouth = 1 - smooth(half * 0.9, jointMm, ax);
  if (point.side < 0) {
    const reach = -noseY * (0.62 + 0.9 * smooth(half * 0.6, half * 1.5, ax));
    return [dx, cornerShare * (1 - opening) * (1 - smooth(0, reach, -dy)) * nearMouth];
  }
  const near = (cornerShare + (1 - cornerShare) * opening) * nearMouth;
  const chin = (1 - 0.55 * smooth(18, jointMm, ax)) * (1 - smooth(42, 68, ax) * 0.8);
  const lowered = near + (Math.max(near, chin) - near) * smooth(3, 24, dy);
  return [dx, lowered * (1 - smooth(chinY - 2, chinY + 34, point.y))];
}

function moveLips({ noseY }: Face, point: MouthPoint, out: Displacements): void {
  const { x, ax, dy, half, opening, roundOpening, sign } = point;
  const isUpper = point.side < 0;
  const above = 1 - smooth(2, -noseY * 0.95, -dy);
  out.upperLip = [0, isUpper ? -opening * above : 0];
  out.lowerLip = [0, isUpper ? 0 : opening * (1 - smooth(5, 22, dy))];
  const corner = Math.exp(-(((ax - half) / 15) ** 2) - (dy / 15) ** 2);
  const ramp = clamp(ax / half);
  out.wide = [
    sign * ramp * (ax < half ? Math.max(corner, bell(dy, 15) * ramp * 0.9) : corner),
    -0.22 * corner,
  ];
  const pursed = Math.exp(-((ax / (half * 1.5)) ** 4) - (dy / 19) ** 4);
  const thicker = Math.sign(point.side) * Math.min(1, Math.abs(dy) / 9) * (1 - smooth(9, 18, Math.abs(dy)));
  // The inner edges of pursed lips come closer to each other than the outer ones.
  const narrower = 0.31 + 0.07 * bell(dy, 7);
  out.pucker = [-x * narrower * pursed, thicker * 1.7 * pursed * Math.min(1, opening * 2.2)];
  const wider = roundOpening - opening;
  // The outer edges of the lips stay: where the lips touch, they are thick. They overlap a little, so that no gap is seen.
  const touching = isUpper ? -0.45 * (1 - smooth(1, 8, -dy)) : 0.6 * (1 - smooth(2, 10, dy));
  const share = clamp(ax / half);
  const fullness = isUpper
    ? 0
    : 0.65 * share * share * (1 - share * share) * smooth(2, 8, dy) * (1 - smooth(9, 20, dy));
  out.round = [0, wider * touching + fullness];
  const lip = Math.min(1, opening * 1.3);
  const pressed = smooth(0, 6, Math.abs(dy)) * (1 - smooth(8, 17, Math.abs(dy)));
  out.press = [0, -Math.sign(dy || point.side) * lip * 1.7 * pressed];
  out.rollLower = [0, isUpper ? 0 : -lip * 2.2 * smooth(1, 7, dy) * (1 - smooth(9, 20, dy))];
  const cheek = Math.exp(-(((ax - half * 1.35) / 16) ** 2) - ((point.y - noseY * 0.75) / 15) ** 2);
  out.smile = [sign * 3.2 * corner * ramp, -2.6 * corner - 1.3 * cheek];
}

/** The skin around an eye that closes. The lid itself is a layer of its own. */
function moveLids({ upper, lower, from, to, middleX, browY }: Eye, x: number, y: number): [number, number] {
  if (x <= from - 3 || x >= to + 3) return [0, 0];
  const [top, bottom] = [heightAt(upper, x), heightAt(lower, x)];
  const open = Math.max(0, bottom - top);
  if (y > (top + bottom) / 2) return [0, -0.13 * open * (1 - smooth(0.5, 7, Math.max(0, y - bottom)))];
  const reach = Math.max(5, Math.min(7.5, heightAt(upper, middleX) - browY));
  const share = clamp((Math.max(0, top - y) - 1.8) / (reach - 1.8));
  // The lid's layer covers what is closed. Pulled farther, the real lashes would be smeared over the skin above it.
  return [0, 0.3 * open * (1 - share) ** 1.5];
}

function moveBrows({ eyes }: Face, x: number, y: number, out: Displacements): void {
  const eye = x < 0 ? eyes[0] : eyes[1];
  const above = y - eye.browY;
  const raised = Math.exp(-((above / (above > 0 ? 8 : 16)) ** 2) - ((x - eye.middleX) / 24) ** 2);
  out.brows = [0, -3 * raised];
  const inner = Math.exp(-(((Math.abs(x) - 11) / 11) ** 2) - (above / 10) ** 2);
  out.concern = [-Math.sign(x) * 1.2 * inner, -1.8 * inner];
}

/** How much a point turns with the head: all above the chin, less and less down the neck. */
export const headShare = ({ chinY }: Face, y: number): number => 1 - smooth(chinY - 4, chinY + 62, y);

/** The displacements of a point of the face, in millimetres for each unit of a move. */
export function displacementsAt(face: Face, x: number, y: number, side: LipSide): Displacements {
  const out: Displacements = {
    ...{ jaw: [0, 0], upperLip: [0, 0], lowerLip: [0, 0], wide: [0, 0], pucker: [0, 0], press: [0, 0] },
    ...{ rollLower: [0, 0], round: [0, 0], smile: [0, 0], brows: [0, 0], concern: [0, 0] },
    blinkLeft: moveLids(face.eyes[0], x, y),
    blinkRight: moveLids(face.eyes[1], x, y),
    breath: [0, -(0.7 + 1.5 * (1 - headShare(face, y)))],
  };
  const point = mouthPoint(face, x, y, side);
  out.jaw = moveJaw(face, point);
  moveLips(face, point, out);
  moveBrows(face, x, y, out);
  return out;
}
