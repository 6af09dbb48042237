import type { Face, FacePoint } from "./face.ts";
import { createMesh, gridOf, gridTriangles, type Mesh } from "./mesh.ts";
import { mouthAtlas } from "./mouth-atlas.ts";
import { heightAt, smooth, type Point } from "./numbers.ts";

/** What the inside of the mouth takes from a pose. */
export interface MouthPose {
  readonly jaw: number;
  readonly upperLip: number;
  readonly lowerLip: number;
  readonly pucker: number;
  readonly press: number;
  readonly round: number;
  readonly tongue: number;
  readonly tongueForward: number;
}

/** The inside of the mouth: it lies behind the face, and its meshes follow jaw and tongue. */
export interface MouthInside {
  readonly meshes: readonly Mesh[];
  pose(pose: MouthPose): void;
}

interface Strip {
  readonly part: keyof typeof mouthAtlas;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly columns: number;
  readonly rows: number;
  readonly z: number;
  /** How the strip bends. */
  curve?(x: number): number;
}

function stripMesh(face: Face, strip: Strip): Mesh {
  const { left, right, top, bottom, columns, rows, z, curve } = strip;
  const area = mouthAtlas[strip.part];
  return createMesh(face, {
    layer: "mouth",
    points: gridOf(columns, rows, (u, v): FacePoint => {
      const x = left + (right - left) * u;
      return [x, top + (bottom - top) * v + (curve?.(x) ?? 0), z + x * x * 0.018];
    }),
    texels: gridOf(columns, rows, (u, v): Point => [area.x + area.width * u, area.y + area.height * v]),
    indices: gridTriangles(columns, rows),
    moves: ["breath"],
  });
}

/** Sets the height of each vertex of a mesh, and by how much it is narrower. */
function shape(
  mesh: Mesh,
  rest: Float32Array,
  at: (x: number, y: number) => readonly [number, number],
): void {
  for (let i = 0; i < mesh.count; i++) {
    const [x, y] = at(rest[3 * i]!, rest[3 * i + 1]!);
    mesh.rest[3 * i] = x;
    mesh.rest[3 * i + 1] = y;
  }
}

const tongueMm = 16;
/** A tongue that comes between the teeth shows its tip from the front: it is shorter, and so wider at its edge. */
const tipMm = 2.2;
/** Pursed lips come forward: the teeth are this much farther behind and above, in millimetres. */
const behindLipsMm = 2.4;
/** How far the shadow of the upper lip falls on the teeth, in millimetres, and how dark it is. */
const lipShadow = { reachMm: 2.4, share: 0.14 } as const;
/** How dark the sides of the mouth are. */
const sideShadow = 0.55;
/** Teeth and tongue are this bright before the mouth's own shadow. */
const brightness = { upper: 1, lower: 0.86, tongue: 0.9 };

interface Strips {
  readonly cavity: Mesh;
  readonly lower: Mesh;
  readonly tongue: Mesh;
  readonly upper: Mesh;
}

function createStrips(face: Face): Strips {
  const { lips } = face;
  const half = lips.halfMm;
  const teeth = half * 0.9;
  // Teeth follow half of the curve of the lips.
  const curve = (x: number): number => lips.cornerY * 0.55 * (x / half) ** 2;
  const strip = (
    part: Strip["part"],
    width: number,
    heights: readonly [number, number],
    more: Omit<Strip, "part" | "left" | "right" | "top" | "bottom">,
  ): Mesh =>
    stripMesh(face, { part, left: -width, right: width, top: heights[0], bottom: heights[1], ...more });
  return {
    cavity: strip("cavity", half * 1.02, [0, 1], { columns: 12, rows: 6, z: 4 }),
    lower: strip("lower", teeth * 0.8, [-0.6, 7], { columns: 10, rows: 3, z: 3, curve }),
    tongue: strip("tongue", half * 0.68, [0, tongueMm], { columns: 8, rows: 6, z: 2 }),
    upper: strip("upper", teeth, [-8.3, 2], { columns: 12, rows: 8, z: 1, curve }),
  };
}

function poseTongue(mesh: Mesh, rest: Float32Array, pose: MouthPose): void {
  const { jaw, pucker, tongue: raise, tongueForward } = pose;
  const base = jaw * 0.42 + 1.2;
  shape(mesh, rest, (x, y) => {
    const back = y / tongueMm;
    const lift = Math.max(-1, raise) * (base - 0.5 + (1 - tongueForward) * 1.5) * (1 - back * 0.85);
    const narrow = (1 - 0.3 * Math.max(0, raise) * (1 - back)) * (1 - 0.2 * pucker);
    return [x * narrow, y + base + 1 - lift - tongueForward * tipMm * smooth(0, 0.15, back)];
  });
}

/** The inside of a mouth at rest. */
export function createMouthInside(face: Face): MouthInside {
  const strips = createStrips(face);
  const { cavity, lower, tongue, upper } = strips;
  const rest = {
    cavity: cavity.rest.slice(),
    lower: lower.rest.slice(),
    tongue: tongue.rest.slice(),
    upper: upper.rest.slice(),
  };

  function poseCavity({ jaw, lowerLip, round, pucker }: MouthPose): void {
    const { lips } = face;
    shape(cavity, rest.cavity, (x, v) => {
      const share = Math.min(1, Math.abs(x) / lips.halfMm);
      const opening = share >= 1 ? 0 : (1 - share * share) ** 0.55;
      const line = heightAt(lips.line, x);
      const bottom = line + (jaw + lowerLip + round * 0.3) * (0.34 + 0.66 * opening) + 3;
      return [x * (1 - 0.28 * pucker), line - 2.5 + (bottom - line + 2.5) * v];
    });
  }

  /**
   * Light comes from the front and above: the sides lie in the dark, and the upper lip throws a shadow. What lies in the dark lets the
   * cavity's red through: only darker, white teeth would be grey.
   */
  function light(
    part: keyof typeof brightness,
    { jaw, upperLip, lowerLip, pucker, tongueForward }: MouthPose,
  ): void {
    const open = smooth(0, 7, Math.max(0, jaw + upperLip + lowerLip));
    const half = face.lips.halfMm * (1 - 0.3 * pucker);
    const inLight = part === "tongue" ? 1 + 0.2 * tongueForward : 1;
    const key = brightness[part] * (0.94 + 0.06 * open) * inLight;
    const mesh = strips[part];
    for (let i = 0; i < mesh.count; i++) {
      const x = rest[part][3 * i]!;
      const share = Math.min(1, Math.abs(x / half));
      const lip = heightAt(face.lips.line, x) - upperLip * (1 - share * share);
      const below = smooth(-0.4, lipShadow.reachMm, mesh.rest[3 * i + 1]! - lip);
      mesh.shade[i] = key;
      mesh.alpha[i] =
        (1 - sideShadow * share * share) * (1 - lipShadow.share * (1 - below)) * (1 - 0.3 * pucker);
    }
  }

  return {
    meshes: [cavity, lower, tongue, upper],
    pose(pose) {
      const { jaw, pucker, press } = pose;
      const behind = behindLipsMm * pucker;
      shape(upper, rest.upper, (x, y) => [x * (1 - 0.12 * pucker), y - behind]);
      shape(lower, rest.lower, (x, y) => [
        x * (1 - 0.12 * pucker),
        y + jaw * 0.97 + behind + (press > 0 ? 0.8 : 0),
      ]);
      poseTongue(tongue, rest.tongue, pose);
      poseCavity(pose);
      for (const part of ["upper", "lower", "tongue"] as const) light(part, pose);
    },
  };
}
