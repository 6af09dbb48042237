import { createDepth } from "./depth.ts";
import type { Face, FacePoint } from "./face.ts";
import { lipLineAt } from "./face.ts";
import { faceOutline, lipLines, mouthCorners, surfaceCount } from "./landmarks.ts";
import { createMesh, gridOf, gridTriangles, type Mesh } from "./mesh.ts";
import type { LipSide } from "./moves.ts";
import { smooth, type Point } from "./numbers.ts";

/** Cells of the grid over the whole picture, in each direction. */
const cells = 32;

/** What is behind the person, if it was kept. It never moves. */
export function backgroundMesh(face: Face): Mesh {
  const { size } = face;
  const texels = gridOf(1, 1, (u, v): Point => [u * size, v * size]);
  const points = texels.map(([x, y]) => face.toFace(x, y));
  const mesh = createMesh(face, {
    ...{ layer: "background", points, texels, moves: [] },
    indices: gridTriangles(1, 1),
  });
  mesh.headShares.fill(0);
  return mesh;
}

/** The whole photograph: what is around the face. Its breath ends at the lower edge, which must not leave the picture. */
export function photographMesh(face: Face): Mesh {
  const { size } = face;
  const depth = createDepth(face);
  const texels = gridOf(cells, cells, (u, v): Point => [u * size, v * size]);
  const points = texels.map(([px, py]): FacePoint => {
    const [x, y] = face.toFace(px, py);
    return [x, y, depth(x, y)];
  });
  const mesh = createMesh(face, { layer: "photo", points, texels, indices: gridTriangles(cells, cells) });
  const { breath } = mesh.displacements;
  if (breath)
    texels.forEach(([, y], i) => {
      breath[2 * i + 1]! *= 1 - smooth(size * 0.93, size, y);
    });
  return mesh;
}

interface Surface {
  readonly points: FacePoint[];
  readonly texels: Point[];
  readonly sides: LipSide[];
  readonly alpha: number[];
}

/** The lip of each landmark around the mouth. Its corners belong to both. */
function lipSides({ points, lips }: Face): LipSide[] {
  const sides = points.slice(0, surfaceCount).map(([x, y]): LipSide => {
    if (Math.abs(x) >= lips.halfMm * 1.02) return 0;
    return y - lipLineAt(lips, x) < 0 ? -1 : 1;
  });
  for (const i of lipLines.upperInner) sides[i] = -1;
  for (const i of lipLines.lowerInner) sides[i] = 1;
  for (const i of mouthCorners) sides[i] = 0;
  return sides;
}

/** Divides each triangle into four. */
function subdivide(surface: Surface, triangles: readonly number[]): number[] {
  const { points, texels, sides, alpha } = surface;
  const middles = new Map<number, number>();
  const middle = (a: number, b: number): number => {
    const key = a < b ? a * 65_536 + b : b * 65_536 + a;
    const known = middles.get(key);
    if (known !== undefined) return known;
    const [p, q] = [points[a]!, points[b]!];
    const [s, t] = [texels[a]!, texels[b]!];
    points.push([(p[0] + q[0]) / 2, (p[1] + q[1]) / 2, (p[2] + q[2]) / 2]);
    texels.push([(s[0] + t[0]) / 2, (s[1] + t[1]) / 2]);
    alpha.push((alpha[a]! + alpha[b]!) / 2);
    const [sideA, sideB] = [sides[a]!, sides[b]!];
    sides.push(sideA && sideB ? (sideA === sideB ? sideA : 0) : sideA || sideB);
    middles.set(key, points.length - 1);
    return points.length - 1;
  };
  const divided: number[] = [];
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [triangles[i]!, triangles[i + 1]!, triangles[i + 2]!];
    const [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
    divided.push(a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca);
  }
  return divided;
}

/** The face, with holes for eyes and mouth. It fades out at its outline, so that no edge is seen when it moves. */
export function faceMesh(face: Face, triangles: readonly number[]): Mesh {
  const surface: Surface = {
    points: face.points.slice(0, surfaceCount),
    texels: face.pixels.slice(0, surfaceCount).map(([x, y]): Point => [x, y]),
    sides: lipSides(face),
    alpha: Array.from({ length: surfaceCount }, () => 1),
  };
  for (const i of faceOutline) surface.alpha[i] = 0;
  const indices = subdivide(surface, triangles);
  const depth = createDepth(face);
  const points = surface.points.map(([x, y]): FacePoint => [x, y, depth(x, y)]);
  // What is lower is painted first: an upper lip that comes down covers the lower one.
  const height = (i: number): number =>
    points[indices[i]!]![1] + points[indices[i + 1]!]![1] + points[indices[i + 2]!]![1];
  const order = Array.from({ length: indices.length / 3 }, (_, i) => 3 * i).sort(
    (a, b) => height(b) - height(a),
  );
  const sorted = order.flatMap((i) => indices.slice(i, i + 3));
  const { texels, sides, alpha } = surface;
  const mesh = createMesh(face, { layer: "photo", points, texels, indices: sorted, sides });
  mesh.alpha.set(alpha);
  return mesh;
}
