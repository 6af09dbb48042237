import type { FrameState } from "../rig/frame-state.ts";
import type { SceneLayer, ScenePart } from "../rig/scene.ts";
import type { ShapeGeometry } from "../rig/shape-geometry.ts";

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
