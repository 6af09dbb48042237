import type { FrameState } from "../rig/frame-state.ts";
import type { SceneLayer, ScenePart } from "../rig/scene.ts";

/** Points for a shape that changes by itself, and for all shapes that only move with one layer. */
const pointsPerChangingShape = 8;
const pointsPerLayer = 20;

interface Sample {
  readonly part: ScenePart;
  readonly index: number;
}

/**
 * A few points of some layers that tell how these move: where they are now and where they were is enough to see
 * whether one picture of the layers can stand for another.
 */
export class MotionSamples {
  readonly #samples: readonly Sample[];
  readonly #places: Float32Array;

  constructor(layers: readonly SceneLayer[]) {
    this.#samples = layers.flatMap(samplesOf);
    this.#places = new Float32Array(this.#samples.length * 2);
  }

  /** The points in device pixels, x, y, x, y…; valid until the next call. */
  at(state: FrameState, scale: number): Float32Array {
    let i = 0;
    for (const { part, index } of this.#samples) {
      const { x, y } = part.geometry.pointAt(index, state);
      this.#places[i++] = x * scale;
      this.#places[i++] = y * scale;
    }
    return this.#places;
  }
}

function samplesOf({ clips, parts }: SceneLayer): Sample[] {
  const all = new Set([...clips, ...parts, ...parts.flatMap((part) => part.clips)]);
  const changing = [...all].filter((part) => changesByItself(part) || !parts.includes(part));
  const moving = parts.filter((part) => !changing.includes(part));
  return [
    ...changing.flatMap((part) => spread(everyPoint(part), pointsPerChangingShape)),
    ...spread(moving.flatMap(everyPoint), pointsPerLayer),
  ];
}

function changesByItself({ shape }: ScenePart): boolean {
  return (
    shape.blink !== undefined || shape.mouth !== undefined || shape.gazeTravel.some((reach) => reach !== 0)
  );
}

function everyPoint(part: ScenePart): Sample[] {
  return Array.from({ length: part.shape.outline.points.length / 2 }, (_, index) => ({ part, index }));
}

/** The outermost samples in four directions, and others taken evenly along the outlines. */
function spread(samples: readonly Sample[], count: number): Sample[] {
  if (samples.length <= count) return [...samples];
  const place = ({ part, index }: Sample): [number, number] => [
    part.shape.outline.points[index * 2]!,
    part.shape.outline.points[index * 2 + 1]!,
  ];
  const extreme = (measure: (x: number, y: number) => number): Sample =>
    samples.reduce((best, sample) => (measure(...place(sample)) > measure(...place(best)) ? sample : best));
  const outermost = [
    (x: number) => x,
    (x: number) => -x,
    (_: number, y: number) => y,
    (_: number, y: number) => -y,
  ];
  const stride = samples.length / (count - outermost.length);
  const even = Array.from({ length: count - outermost.length }, (_, i) => samples[Math.floor(i * stride)]!);
  return [...new Set([...outermost.map(extreme), ...even])];
}
