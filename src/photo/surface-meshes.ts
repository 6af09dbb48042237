import { type Face, type FacePoint, lipLineAt } from "./face.ts";
import { faceOutline, lipLines, mouthCorners, surfaceCount } from "./landmarks.ts";
import { isInside, type Point, smooth } from "./numbers.ts";
import { createMesh, gridOf, gridTriangles, type Mesh, meshSteps } from "./mesh.ts";
import type { LipSide } from "./moves.ts";
import { pointsPerStep, type Steps } from "./steps.ts";

/** How far behind the outline of the face hair and shoulders are, in millimetres. */
const behindMm = 26;

/** Beyond this square of a distance, the first part of a weight is less than a thousandth of the second one. */
const nearSquare = 1_900;

/** The depth of any point of the picture: that of the face within its outline, and farther away the farther outside. */
function createDepth({ points }: Face): (x: number, y: number) => number {
  const outline = faceOutline.map((i) => points[i]!);
  const polygon = outline.map(([x, y]): Point => [x, y]);
  // Each point of the picture asks all of them.
  const surface = Float64Array.from(points.slice(0, surfaceCount).flat());
  const surfaceDepth = (x: number, y: number): number => {
    let [weights, sum] = [0, 0];
    for (let i = 0; i < surface.length; i += 3) {
      const [dx, dy] = [surface[i]! - x, surface[i + 1]! - y];
      const distance = dx * dx + dy * dy;
      const near = distance < nearSquare ? Math.exp(-distance / 72) : 0;
      const weight = near + 1e-4 / (1 + distance * distance * 1e-3);
      weights += weight;
      sum += weight * surface[i + 2]!;
    }
    return sum / weights;
  };
  return (x, y) => {
    const inner = surfaceDepth(x, y);
    if (isInside(polygon, x, y)) return inner;
    let [weights, sum, nearest] = [0, 0, Infinity];
    for (const [px, py, pz] of outline) {
      const distance = (px - x) ** 2 + (py - y) ** 2;
      nearest = Math.min(nearest, distance);
      const weight = (distance + 90) ** -1.4;
      weights += weight;
      sum += weight * pz;
    }
    const mm = Math.sqrt(nearest);
    const outside = smooth(0, 14, mm);
    return inner * (1 - outside) + (sum / weights) * outside + behindMm * (1 - Math.exp(-mm / 48));
  };
}

/** Points of the picture in millimetres, with their depths. */
function* deepPoints(face: Face, points: readonly FacePoint[]): Steps<FacePoint[]> {
  const depth = createDepth(face);
  const deep: FacePoint[] = [];
  for (const [x, y] of points) {
    if (deep.length % pointsPerStep === 0) yield;
    deep.push([x, y, depth(x, y)]);
  }
  return deep;
}

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
export function* photographMesh(face: Face): Steps<Mesh> {
  const { size } = face;
  const texels = gridOf(cells, cells, (u, v): Point => [u * size, v * size]);
  const points = yield* deepPoints(
    face,
    texels.map(([x, y]) => face.toFace(x, y)),
  );
  const indices = gridTriangles(cells, cells);
  const mesh = yield* meshSteps(face, { layer: "photo", points, texels, indices });
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
export function* faceMesh(face: Face, triangles: readonly number[]): Steps<Mesh> {
  const surface: Surface = {
    points: face.points.slice(0, surfaceCount),
    texels: face.pixels.slice(0, surfaceCount).map(([x, y]): Point => [x, y]),
    sides: lipSides(face),
    alpha: Array.from({ length: surfaceCount }, () => 1),
  };
  for (const i of faceOutline) surface.alpha[i] = 0;
  const indices = subdivide(surface, triangles);
  const points = yield* deepPoints(face, surface.points);
  // What is lower is painted first: an upper lip that comes down covers the lower one.
  const height = (i: number): number =>
    points[indices[i]!]![1] + points[indices[i + 1]!]![1] + points[indices[i + 2]!]![1];
  const order = Array.from({ length: indices.length / 3 }, (_, i) => 3 * i).sort(
    (a, b) => height(b) - height(a),
  );
  const sorted = order.flatMap((i) => indices.slice(i, i + 3));
  const { texels, sides, alpha } = surface;
  const mesh = yield* meshSteps(face, { layer: "photo", points, texels, indices: sorted, sides });
  mesh.alpha.set(alpha);
  return mesh;
}
