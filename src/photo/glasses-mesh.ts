import type { PhotoArea } from "../protocol/photo-character.ts";
import type { Face, FacePoint } from "./face.ts";
import { betweenEyes, temples } from "./landmarks.ts";
import { createMesh, gridOf, gridTriangles, type Mesh } from "./mesh.ts";
import type { Point } from "./numbers.ts";

const [columns, rows] = [12, 4];
/** How far a frame is before the skin between the eyes, in millimetres. */
const beforeMm = 5;

/** The frame of glasses. It moves with the head alone: lids, brows and eyes move behind it. */
export function glassesMesh(face: Face, { x, y, width, height }: PhotoArea): Mesh {
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
