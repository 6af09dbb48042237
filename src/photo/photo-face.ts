import type { PhotoArea, PhotoCharacter } from "../protocol/characters/photo-character.ts";
import { type Face, type FacePoint, measureFace } from "./face.ts";
import { betweenEyes, temples } from "./landmarks.ts";
import { createMesh, gridOf, gridTriangles, type Mesh } from "./mesh.ts";
import { clamp, type Point } from "./numbers.ts";
import type { PuppetParams, Viseme } from "../puppet/index.ts";
import { createLid, eyeMeshes } from "./eye-meshes.ts";
import { headLimits } from "./photo-motion.ts";
import { createMouthInside } from "./mouth-meshes.ts";
import { finish, type Steps } from "./steps.ts";
import { type Move, moves } from "./moves.ts";
import { backgroundMesh, faceMesh, photographMesh } from "./surface-meshes.ts";

const [columns, rows] = [12, 4];
/** How far a frame is before the skin between the eyes, in millimetres. */
const beforeMm = 5;

/** The frame of glasses. It moves with the head alone: lids, brows and eyes move behind it. */
function glassesMesh(face: Face, { x, y, width, height }: PhotoArea): Mesh {
  const middle = face.points[betweenEyes]!;
  const front = middle[2] - beforeMm;
  // From the nose to the temples it lies on a curve.
  const [ax, az] = [0, 2].map((axis) =>
    temples.reduce(
      (sum, i) => sum + Math.abs(face.points[i]![axis]! - (axis === 0 ? middle[0] : front)) / 2,
      0,
    ),
  );
  const bend = (az ?? 0) / Math.max(1, (ax ?? 1) ** 2);
  return createMesh(face, {
    layer: "glasses",
    points: gridOf(columns, rows, (u, v): FacePoint => {
      const [px, py] = face.toFace(x + width * u, y + height * v);
      return [px, py, front + bend * (px - middle[0]) ** 2];
    }),
    texels: gridOf(columns, rows, (u, v): Point => [width * u, height * v]),
    indices: gridTriangles(columns, rows),
    moves: ["breath"],
  });
}

/**
 * One mouth shape in millimetres: the drop of the jaw, upper lip up, lower lip down, corners out, and how much of the opening is round:
 * at most the first three together. `pucker`, `press`, `rollLower` and the tongue's height and reach are shares.
 */
interface VisemeShape {
  readonly jaw?: number;
  readonly upperLip?: number;
  readonly lowerLip?: number;
  readonly wide?: number;
  readonly pucker?: number;
  readonly press?: number;
  readonly rollLower?: number;
  readonly round?: number;
  readonly tongue?: number;
  readonly tongueForward?: number;
}

/** What each viseme does with the mouth. `sil` is the photograph itself. */
const visemeShapes: Readonly<Record<Viseme, VisemeShape>> = {
  sil: {},
  PP: { press: 0.75, wide: -0.6 },
  FF: { jaw: 1.2, upperLip: 1.6, lowerLip: -0.6, rollLower: 1 },
  TH: { jaw: 4.4, upperLip: 1.1, lowerLip: 0.8, tongue: 1.05, tongueForward: 1 },
  DD: { jaw: 3, upperLip: 0.9, lowerLip: 0.4, wide: 0.4, tongue: 0.8 },
  kk: { jaw: 4.2, upperLip: 0.6, lowerLip: 0.4, tongue: 0.15 },
  CH: { jaw: 1.6, upperLip: 1.1, lowerLip: 1.1, pucker: 0.5, round: 2.4 },
  SS: { jaw: 1.2, upperLip: 1.1, lowerLip: 1.2, wide: 1.6 },
  nn: { jaw: 2.6, upperLip: 0.7, lowerLip: 0.3, wide: 0.3, tongue: 0.85 },
  RR: { jaw: 2.4, upperLip: 0.9, lowerLip: 0.6, pucker: 0.4, round: 2.2, tongue: 0.3 },
  aa: { jaw: 9.5, upperLip: 1.2, lowerLip: 0.6, wide: -0.4, tongue: -0.1 },
  E: { jaw: 5.4, upperLip: 1.3, lowerLip: 0.8, wide: 1.8 },
  ih: { jaw: 3.4, upperLip: 1.1, lowerLip: 0.7, wide: 2 },
  oh: { jaw: 6.8, upperLip: 0.9, lowerLip: 0.6, pucker: 0.66, wide: -0.8, round: 8.1 },
  ou: { jaw: 2.8, upperLip: 0.6, lowerLip: 0.6, pucker: 1.05, wide: -1, round: 3.9 },
};

/** A photo character that takes poses. */
export interface PhotoFace {
  readonly face: Face;
  /** From back to front. */
  readonly meshes: readonly Mesh[];
  /** Moves the vertices of all meshes. */
  pose(params: PuppetParams): void;
}

const degree = Math.PI / 180;

/** Landmarks say more depth than there is. */
const depthShare = 0.9;
/** How far the iris goes, in millimetres. */
const gazeMm = { x: 2.1, y: 1.4 } as const;

/** A pose as amounts of each move, and of the tongue. */
type Amounts = Record<Move, number> & { tongue: number; tongueForward: number };

function amountsOf(params: PuppetParams): Amounts {
  const amounts: Amounts = {
    ...{ jaw: 0, upperLip: 0, lowerLip: 0, wide: 0, pucker: 0, press: 0, rollLower: 0, round: 0 },
    ...{ smile: 0.6 * (params.smile ?? 0), brows: params.browRaise ?? 0 },
    ...{ concern: Math.max(params.concern ?? 0, params.browConcern ?? 0), breath: params.breath ?? 0 },
    ...{ blinkLeft: 0, blinkRight: 0, tongue: 0, tongueForward: 0 },
  };
  const weights = params.visemeWeights ?? {};
  const sum = Object.values(weights).reduce((total, weight) => total + Math.max(0, weight), 0);
  for (const [viseme, shape] of Object.entries(visemeShapes)) {
    const weight = (new Map(Object.entries(weights)).get(viseme) ?? 0) / Math.max(1, sum);
    if (weight <= 0) continue;
    const { tongue = 0, tongueForward = 0, ...mouth } = shape;
    for (const move of moves) amounts[move] += (new Map(Object.entries(mouth)).get(move) ?? 0) * weight;
    amounts.tongue += tongue * weight;
    amounts.tongueForward += tongueForward * weight;
  }
  const { blink = 0, blinkL = 0, blinkR = 0, gazeY = 0 } = params;
  // Lids follow eyes that clearly look down: a lid that has hardly moved looks worse than one that has not.
  const follow = 0.24 * Math.max(0, gazeY - 0.2);
  amounts.blinkLeft = clamp(Math.max(blink, blinkL) + follow);
  amounts.blinkRight = clamp(Math.max(blink, blinkR) + follow);
  return amounts;
}

/** Turns points of the head about the neck. */
function createTurn(
  { headTurn = 0, headNod = 0, headTilt = 0 }: PuppetParams,
  pivotY: number,
  pivotZ: number,
) {
  const angles = [headTurn * headLimits.turn, headNod * headLimits.nod, headTilt * headLimits.tilt];
  const [yaw = 0, pitch = 0, roll = 0] = angles.map((angle) => angle * degree);
  const [cosYaw, sinYaw] = [Math.cos(yaw), Math.sin(yaw)];
  const [cosPitch, sinPitch] = [Math.cos(pitch), Math.sin(pitch)];
  const [cosRoll, sinRoll] = [Math.cos(roll), Math.sin(roll)];
  const result = new Float64Array(2);
  /** The change of a point's place; the array is reused. */
  return (x: number, y: number, z: number): Float64Array => {
    const [dy, dz] = [y - pivotY, z - pivotZ];
    const turnedX = x * cosYaw - dz * sinYaw;
    const turnedZ = x * sinYaw + dz * cosYaw;
    const noddedY = dy * cosPitch - turnedZ * sinPitch;
    result[0] = turnedX * cosRoll - noddedY * sinRoll - x;
    result[1] = turnedX * sinRoll + noddedY * cosRoll - dy;
    return result;
  };
}

interface Placed {
  readonly amounts: Amounts;
  readonly turn: ReturnType<typeof createTurn>;
  readonly gazeX: number;
  readonly gazeY: number;
}

function place(face: Face, mesh: Mesh, { amounts, turn, gazeX, gazeY }: Placed): void {
  const { rest, positions, headShares, count } = mesh;
  const [originX, originY] = face.toPicture(0, 0);
  const [rightX, rightY] = face.toPicture(1, 0);
  const [ax, ay] = [rightX - originX, rightY - originY];
  const active = moves.flatMap((move) => {
    const field = mesh.displacements[move];
    return field && amounts[move] !== 0 ? [{ field, amount: amounts[move] }] : [];
  });
  for (let i = 0; i < count; i++) {
    let x = rest[3 * i]! + (mesh.isIris ? gazeX : 0);
    let y = rest[3 * i + 1]! + (mesh.isIris ? gazeY : 0);
    for (const { field, amount } of active) {
      x += field[2 * i]! * amount;
      y += field[2 * i + 1]! * amount;
    }
    const share = headShares[i]!;
    if (share > 0) {
      const moved = turn(x, y, rest[3 * i + 2]! * depthShare);
      x += moved[0]! * share;
      y += moved[1]! * share;
    }
    positions[2 * i] = originX + x * ax - y * ay;
    positions[2 * i + 1] = originY + x * ay + y * ax;
  }
}

/** A character at rest. It was checked before. */
export const createPhotoFace = (character: PhotoCharacter): PhotoFace => finish(photoFaceSteps(character));

/** The same, which takes a tenth of a second on a fast processor, in steps. */
export function* photoFaceSteps(character: PhotoCharacter): Steps<PhotoFace> {
  const face = measureFace(character);
  const mouth = createMouthInside(face);
  const lids = [
    createLid(face, face.eyes[0], "lidLeft", character.lids.left),
    createLid(face, face.eyes[1], "lidRight", character.lids.right),
  ] as const;
  const meshes = [
    ...(character.pictures.background ? [backgroundMesh(face)] : []),
    yield* photographMesh(face),
    ...mouth.meshes,
    ...eyeMeshes(face, character),
    yield* faceMesh(face, character.triangles),
    ...lids.flatMap((lid) => lid.meshes),
    ...(character.glasses ? [glassesMesh(face, character.glasses)] : []),
  ];
  function pose(params: PuppetParams): void {
    const amounts = amountsOf(params);
    mouth.pose(amounts);
    lids[0].pose(amounts.blinkLeft);
    lids[1].pose(amounts.blinkRight);
    const turn = createTurn(params, face.chinY + 14, 60);
    const [gazeX, gazeY] = [gazeMm.x * (params.gazeX ?? 0), gazeMm.y * (params.gazeY ?? 0)];
    for (const mesh of meshes) if (!mesh.isHidden) place(face, mesh, { amounts, turn, gazeX, gazeY });
  }
  return { face, meshes, pose };
}
