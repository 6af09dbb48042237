import { type FrameState, frameState } from "../rig/frame-state.ts";
import type { Scene, SceneLayer, ScenePart } from "../rig/scene.ts";
import type { ShapeGeometry } from "../rig/shape-geometry.ts";
import { AffineReference } from "./affine.ts";

/** Number of samples for each shape that changes by itself, and for all other shapes of a layer together. */
const pointsPerChangingShape = 8;
const pointsPerLayer = 20;

interface Sample {
  readonly part: ScenePart;
  readonly index: number;
}

/**
 * A few points that show how some layers move. Their positions now and earlier are enough to decide whether an earlier
 * picture of the layers can be used again.
 */
export class MotionSamples {
  readonly #shapes: readonly ShapeGeometry[];
  readonly #places: number[] = [];

  constructor(layers: readonly SceneLayer[]) {
    this.#shapes = layers.flatMap(samplesOf);
  }

  /** The points in device pixels, x, y, x, y…; valid until the next call. */
  at(state: FrameState, scale: number): readonly number[] {
    let i = 0;
    for (const shape of this.#shapes) {
      const points = shape.points(state);
      for (let j = 0; j < points.length; j++) this.#places[i++] = points[j]! * scale;
    }
    return this.#places;
  }
}

/** Cache: the samples of a layer never change, and choosing them visits every point. */
const known = new WeakMap<SceneLayer, ShapeGeometry[]>();

function samplesOf(layer: SceneLayer): ShapeGeometry[] {
  const found = known.get(layer) ?? byPart(chooseSamples(layer));
  known.set(layer, found);
  return found;
}

/** The points of each part lie together in memory: they are moved a hundred times a second, between much other work. */
function byPart(samples: readonly Sample[]): ShapeGeometry[] {
  const chosen = new Map<ScenePart, number[]>();
  for (const { part, index } of samples) chosen.set(part, [...(chosen.get(part) ?? []), index]);
  return [...chosen].map(([{ geometry }, indices]) => geometry.some(indices));
}

function chooseSamples({ clips, parts }: SceneLayer): Sample[] {
  const own = new Set(parts);
  const cutters = [...new Set([...clips, ...parts.flatMap((part) => part.clips)])].filter(
    (part) => !own.has(part),
  );
  const area = restingBox(parts);
  return [
    ...parts.filter(changesByItself).flatMap((part) => spread([part], pointsPerChangingShape)),
    ...spread(
      parts.filter((part) => !changesByItself(part)),
      pointsPerLayer,
    ),
    // A clip cuts nothing where its edge is far from the clipped shapes, so only near points count.
    ...cutters.flatMap((part) => spread([part], pointsPerChangingShape, area)),
  ];
}

function changesByItself({ shape }: ScenePart): boolean {
  return (
    shape.blink !== undefined || shape.mouth !== undefined || shape.gazeTravel.some((reach) => reach !== 0)
  );
}

/** A test for points near some shapes at rest. */
type Area = (x: number, y: number) => boolean;

const nearUnits = 12;

function restingBox(parts: readonly ScenePart[]): Area {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { shape } of parts) {
    const { points } = shape.outline;
    for (let i = 0; i < points.length; i += 2) {
      left = Math.min(left, points[i]!);
      right = Math.max(right, points[i]!);
      top = Math.min(top, points[i + 1]!);
      bottom = Math.max(bottom, points[i + 1]!);
    }
  }
  return (x, y) =>
    x > left - nearUnits && x < right + nearUnits && y > top - nearUnits && y < bottom + nearUnits;
}

/** The outermost points of some shapes in four directions, and further points evenly spaced along their outlines. */
function spread(parts: readonly ScenePart[], count: number, area: Area = () => true): Sample[] {
  const total = parts.reduce((sum, { shape }) => sum + shape.outline.points.length / 2, 0);
  const stride = Math.max(1, total / (count - 4));
  const even: Sample[] = [];
  const outermost: { reach: number; sample: Sample }[] = [];
  let place = 0;
  for (const part of parts) {
    const { points } = part.shape.outline;
    for (let index = 0; index < points.length / 2; index++, place++) {
      const x = points[index * 2]!;
      const y = points[index * 2 + 1]!;
      if (!area(x, y)) continue;
      if (place >= even.length * stride) even.push({ part, index });
      [x, -x, y, -y].forEach((reach, side) => {
        const farthest = outermost[side];
        if (!farthest || reach > farthest.reach) outermost[side] = { reach, sample: { part, index } };
      });
    }
  }
  return [...even, ...outermost.map(({ sample }) => sample)];
}

/** What changes a layer's picture: the breath, the head alone, the jaw and cheeks, or its own motion. */
type Kind = "body" | "head" | "jaw" | "eyes" | "mouth" | "brow";

/** Neighbouring layers that can share a picture. */
export interface LayerRun {
  readonly layers: readonly SceneLayer[];
  /** Eyes and mouth. They are small and viewers look at them closely, so they are never drawn late. */
  readonly isLively: boolean;
  /** Moves only with the pose of head and chest. */
  readonly isPosed: boolean;
}

/** How much larger, in units, the error of one map for two layers may be than the error of a map for each. */
const apartUnits = 0.3;

/** A run does not grow beyond this many points, because a run is always redrawn as a whole. */
const mostPoints = 6000;

const smallPose = { headTurn: 0.12, headNod: 0.12, headTilt: 0.12 };

/**
 * Splits the layers, in paint order, into runs of neighbours that change for the same reasons and move together, so that
 * each run can be cached as one picture.
 */
export function layerRuns(scene: Scene): LayerRun[] {
  const { layers } = scene;
  const runs: { kind: Kind; layers: SceneLayer[] }[] = [];
  layers.forEach((layer, i) => {
    const kind = kindOf(layer);
    const next = layers[i + 1];
    const last = runs.at(-1);
    // A layer that only turns with the head joins the run when both its neighbours also follow the jaw.
    const within = last?.kind === "jaw" && kind === "head" && next && kindOf(next) === "jaw";
    if (last && (last.kind === kind || within) && joins(scene, last.kind, last.layers, layer)) {
      last.layers.push(layer);
    } else {
      runs.push({ kind, layers: [layer] });
    }
  });
  return runs.map((run) => ({
    layers: run.layers,
    isLively: run.kind === "eyes" || run.kind === "mouth",
    isPosed: run.layers.every(isPosed),
  }));
}

function kindOf({ layer, parts }: SceneLayer): Kind {
  if (!layer.followsHead) return "body";
  if (parts.some(({ shape }) => shape.mouth !== undefined)) return "mouth";
  if (layer.side !== undefined || parts.some(({ shape }) => shape.blink !== undefined)) return "eyes";
  if (layer.brow) return "brow";
  return layer.jaw || layer.lip || layer.cheek !== 0 ? "jaw" : "head";
}

function isPosed({ clips, parts }: SceneLayer): boolean {
  return [...clips, ...parts, ...parts.flatMap((part) => part.clips)].every(({ shape, geometry }) => {
    const { layer, gazeTravel } = geometry.mover;
    const isOfFace = layer.jaw || layer.lip || layer.cheek !== 0 || layer.brow || layer.side !== undefined;
    const changes = shape.blink ?? shape.mouth ?? shape.visibleBy ?? shape.opacityBy[0];
    return !isOfFace && changes === undefined && gazeTravel.every((reach) => reach === 0);
  });
}

function joins(scene: Scene, kind: Kind, run: readonly SceneLayer[], layer: SceneLayer): boolean {
  if (kind === "brow") return false;
  if (kind !== "head" && kind !== "jaw") return true;
  if (pointCount([...run, layer]) > mostPoints) return false;
  const apart = Math.max(bending(scene, run), bending(scene, [layer]));
  return bending(scene, [...run, layer]) <= apart + apartUnits;
}

/** How many points some layers have: a measure of their drawing cost. */
export function pointCount(layers: readonly SceneLayer[]): number {
  return layers.reduce(
    (sum, { layer }) =>
      sum + layer.shapes.reduce((points, { outline }) => points + outline.points.length / 2, 0),
    0,
  );
}

/** How far a small head motion of these layers is from an affine map, in units. */
function bending(scene: Scene, layers: readonly SceneLayer[]): number {
  const samples = new MotionSamples(layers);
  const rest = new AffineReference(samples.at(frameState(scene.character, {}), 1));
  return rest.fit(samples.at(frameState(scene.character, smallPose), 1))?.residual ?? Infinity;
}
