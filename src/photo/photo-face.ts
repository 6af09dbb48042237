import type { PhotoCharacter } from "../protocol/photo-character.ts";
import type { PuppetParams } from "../puppet/index.ts";
import { createLid, eyeMeshes } from "./eye-meshes.ts";
import { measureFace, type Face } from "./face.ts";
import { glassesMesh } from "./glasses-mesh.ts";
import { headLimits } from "./head-limits.ts";
import type { Mesh } from "./mesh.ts";
import { createMouthInside } from "./mouth-meshes.ts";
import { moves, type Move } from "./moves.ts";
import { clamp } from "./numbers.ts";
import { backgroundMesh, faceMesh, photographMesh } from "./surface-meshes.ts";
import { visemeShapes } from "./viseme-shapes.ts";

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
export function createPhotoFace(character: PhotoCharacter): PhotoFace {
  const face = measureFace(character);
  const mouth = createMouthInside(face);
  const lids = [
    createLid(face, face.eyes[0], "lidLeft", character.lids.left),
    createLid(face, face.eyes[1], "lidRight", character.lids.right),
  ] as const;
  const meshes = [
    ...(character.pictures.background ? [backgroundMesh(face)] : []),
    photographMesh(face),
    ...mouth.meshes,
    ...eyeMeshes(face, character),
    faceMesh(face, character.triangles),
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
