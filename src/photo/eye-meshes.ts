import type { PhotoArea, PhotoCharacter } from "../protocol/characters/photo-character.ts";
import type { Eye, Face, FacePoint } from "./face.ts";
import { createMesh, gridOf, gridTriangles, type Mesh } from "./mesh.ts";
import { mouthAtlas } from "./mouth-atlas.ts";
import { clamp, heightAt, smooth, type Point } from "./numbers.ts";

/** A lid that slides over an eye, with its lashes. It lies before the face. */
export interface Lid {
  readonly meshes: readonly Mesh[];
  /** `closed`: 0 is the photograph, 1 closed. */
  pose(closed: number): void;
}

const inEyes = ["breath", "jaw", "wide"] as const;

/** White and iris of an eye: they lie behind the face, and show through its holes. */
export function eyeMeshes(face: Face, { eyes }: PhotoCharacter): Mesh[] {
  const part = (layer: Mesh["layer"], area: PhotoArea, eye: Eye, isIris: boolean): Mesh =>
    createMesh(face, {
      ...{ layer, isIris },
      points: gridOf(2, 2, (u, v): FacePoint => {
        const [x, y] = face.toFace(area.x + area.width * u, area.y + area.height * v);
        return [x, y, eye.z + 1.5];
      }),
      texels: gridOf(2, 2, (u, v): Point => [area.width * u, area.height * v]),
      indices: gridTriangles(2, 2),
      moves: inEyes,
    });
  const [left, right] = face.eyes;
  return [
    part("scleraLeft", eyes.left, left, false),
    part("irisLeft", eyes.left, left, true),
    part("scleraRight", eyes.right, right, false),
    part("irisRight", eyes.right, right, true),
  ];
}

const columns = 24;
const rows = 5;
/** How far a lid reaches beyond the corners of its eye, in millimetres, and within which width it fades out: the lashes reach outwards. */
const beyondMm = { inner: 1.6, outer: 6.4 } as const;
const fadeMm = { inner: 1.6, outer: 2.4 } as const;
/** It covers the real lashes up to here above the eye, and has faded out there. At the outer corner lashes reach higher. */
const coveredMm = { inner: 3.6, outer: 5.6 } as const;
const fadedMm = 2.2;
/** A closed lid lies on the lower one, most at its outer end: landmarks do not follow the rim of the eye exactly. */
const belowMm = { inner: 0.8, outer: 3 } as const;
/** The light on a lid, from its upper edge to its lashes: it is round. */
const lidLight = [1, 0.985, 1.02, 1.03, 1, 0.93] as const;
const lashMm = 1.25;

/** From one side of a lid to the other, and where it is no longer opaque. */
function lidEnds({ from, to, middleX }: Eye): { left: number; right: number; opacity(x: number): number } {
  const [atLeft, atRight] = middleX < 0 ? (["outer", "inner"] as const) : (["inner", "outer"] as const);
  const [left, right] = [from - beyondMm[atLeft], to + beyondMm[atRight]];
  return {
    ...{ left, right },
    opacity: (x) => smooth(left, left + fadeMm[atLeft], x) * smooth(right, right - fadeMm[atRight], x),
  };
}

/** How far a lid covers what is above the eye, in millimetres. */
function coverAt({ from, to, middleX }: Eye, x: number): number {
  const outer = middleX < 0 ? from : to;
  const middle = middleX + (outer - middleX) * 0.3;
  return coveredMm.inner + (coveredMm.outer - coveredMm.inner) * smooth(middle, outer, x);
}

function lidMesh(face: Face, eye: Eye, layer: Mesh["layer"], area: PhotoArea): Mesh {
  const { left, right } = lidEnds(eye);
  const points = gridOf(columns, rows, (u, v): FacePoint => {
    const x = left + (right - left) * u;
    const [top, bottom] = [heightAt(eye.upper, x), heightAt(eye.lower, x)];
    const row = Math.round(v * rows);
    const cover = coverAt(eye, x);
    if (row === 0) return [x, top - cover - fadedMm, eye.z];
    return [x, top - cover + ((bottom - top + cover) * (row - 1)) / (rows - 1), eye.z];
  });
  const texels = points.map(([x, y]): Point => {
    const [px, py] = face.toPicture(x, y);
    return [px - area.x, py - area.y];
  });
  return createMesh(face, {
    layer,
    points,
    texels,
    indices: gridTriangles(columns, rows),
    moves: ["breath"],
  });
}

function lashMesh(face: Face, eye: Eye): Mesh {
  const { x, y, width, height } = mouthAtlas.lash;
  return createMesh(face, {
    layer: "mouth",
    points: gridOf(columns, 2, (): FacePoint => [0, heightAt(eye.upper, eye.middleX), eye.z]),
    texels: gridOf(columns, 2, (u, v): Point => [x + width * u, y + height * v]),
    indices: gridTriangles(columns, 2),
    moves: ["breath"],
  });
}

/** A lid of skin from around the eye: stretching the real one would smear its lashes. */
export function createLid(face: Face, eye: Eye, layer: Mesh["layer"], area: PhotoArea): Lid {
  const lid = lidMesh(face, eye, layer, area);
  const lash = lashMesh(face, eye);
  const { left, right, opacity } = lidEnds(eye);
  const outer = eye.middleX < 0 ? eye.from : eye.to;

  function poseColumn(i: number, closed: number, shown: number): void {
    const u = i / columns;
    const x = left + (right - left) * u;
    const [top, bottom] = [heightAt(eye.upper, x), heightAt(eye.lower, x)];
    const below = belowMm.inner + (belowMm.outer - belowMm.inner) * smooth(eye.middleX, outer, x);
    const edge = top + closed * (Math.max(0, bottom - top) + below);
    const upper = top - coverAt(eye, x) + 0.8 * closed;
    const sides = opacity(x);
    for (let row = 0; row <= rows; row++) {
      const q = row * (columns + 1) + i;
      lid.rest[3 * q + 1] = row === 0 ? upper - fadedMm : upper + ((edge - upper) * (row - 1)) / (rows - 1);
      lid.alpha[q] = (row === 0 ? 0 : 1) * shown * sides;
      lid.shade[q] = lidLight[row]!;
    }
    const along = clamp((x - eye.from) / (eye.to - eye.from));
    const thickness = lashMm * (0.35 + 0.65 * Math.sin(Math.PI * clamp(along * 0.9 + 0.05)));
    for (let row = 0; row < 3; row++) {
      const q = row * (columns + 1) + i;
      lash.rest[3 * q] = x;
      lash.rest[3 * q + 1] = edge + (row - 1) * thickness * (row === 0 ? 0.9 : 1.1);
      lash.alpha[q] = shown * smooth(0.02, 0.2, along) * smooth(0.98, 0.8, along) * 0.85;
    }
  }
  return {
    meshes: [lid, lash],
    pose(closed) {
      // The lid is there as soon as the eye begins to close: through half a lid the real lashes would be seen, where they were.
      const shown = smooth(0.01, 0.06, closed);
      lid.isHidden = lash.isHidden = shown <= 0;
      if (shown > 0) for (let i = 0; i <= columns; i++) poseColumn(i, closed, shown);
    },
  };
}
