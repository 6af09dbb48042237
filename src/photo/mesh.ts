import type { PhotoLayer } from "../protocol/characters/photo-character.ts";
import type { Face, FacePoint } from "./face.ts";
import { displacementsAt, headShare, moves, type LipSide, type Move } from "./moves.ts";
import type { Point } from "./numbers.ts";
import { finish, pointsPerStep, type Steps } from "./steps.ts";

/** Triangles with a part of a layer. All arrays have one entry, or one pair, for each vertex. */
export interface Mesh {
  readonly layer: PhotoLayer;
  readonly count: number;
  /** Three vertices for each triangle. */
  readonly indices: Uint16Array;
  /** Pixels of its layer. */
  readonly texels: Float32Array;
  /** Where its vertices are in the photograph: x, y and z in millimetres of the face. Mouth and lids change them. */
  readonly rest: Float32Array;
  /** The places of the vertices in the present pose, in pixels of the character's picture. */
  readonly positions: Float32Array;
  /** How much each vertex turns with the head. */
  readonly headShares: Float32Array;
  /** Opacity and brightness, 0…1 and around 1. */
  readonly alpha: Float32Array;
  readonly shade: Float32Array;
  /** Displacements in millimetres for each move that reaches this mesh. */
  readonly displacements: Partial<Record<Move, Float32Array>>;
  /** The iris goes where the eyes look. */
  readonly isIris: boolean;
  /** Whether it is left out of the present pose. */
  isHidden: boolean;
}

/** What a mesh is made from. */
export interface MeshParts {
  readonly layer: PhotoLayer;
  readonly points: readonly FacePoint[];
  readonly texels: readonly Point[];
  readonly indices: readonly number[];
  /** The moves that reach it. */
  readonly moves?: readonly Move[];
  readonly sides?: readonly LipSide[];
  readonly isIris?: boolean;
}

/** A mesh at rest. */
export const createMesh = (face: Face, parts: MeshParts): Mesh => finish(meshSteps(face, parts));

/** The same, for meshes of many points. */
export function* meshSteps(face: Face, parts: MeshParts): Steps<Mesh> {
  const { layer, points, texels, indices, moves: reaching = moves, sides, isIris = false } = parts;
  const count = points.length;
  const mesh: Mesh = {
    ...{ layer, count, isIris },
    indices: Uint16Array.from(indices),
    texels: Float32Array.from(texels.flat()),
    rest: Float32Array.from(points.flat()),
    positions: new Float32Array(2 * count),
    headShares: Float32Array.from(points, ([, y]) => headShare(face, y)),
    alpha: new Float32Array(count).fill(1),
    shade: new Float32Array(count).fill(1),
    displacements: Object.fromEntries(reaching.map((move) => [move, new Float32Array(2 * count)])),
    isHidden: false,
  };
  for (const [i, [x, y]] of points.entries()) {
    if (i % pointsPerStep === 0) yield;
    const out = displacementsAt(face, x, y, sides?.[i] ?? 0);
    for (const move of reaching) mesh.displacements[move]?.set(out[move], 2 * i);
  }
  return mesh;
}

/** The triangles of a grid of `columns` by `rows` cells. Its vertices are numbered row by row. */
export function gridTriangles(columns: number, rows: number): number[] {
  const indices: number[] = [];
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const a = row * (columns + 1) + column;
      const below = a + columns + 1;
      indices.push(a, a + 1, below + 1, a, below + 1, below);
    }
  return indices;
}

/** Something for each vertex of a grid, by its shares of width and height. */
export function gridOf<T>(columns: number, rows: number, at: (u: number, v: number) => T): T[] {
  return Array.from({ length: (columns + 1) * (rows + 1) }, (_, i) =>
    at((i % (columns + 1)) / columns, Math.floor(i / (columns + 1)) / rows),
  );
}
