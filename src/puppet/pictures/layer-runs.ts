import { AffineReference } from "./affine.ts";
import { frameState } from "../rig/frame-state.ts";
import { MotionSamples } from "./motion-samples.ts";
import type { Scene, SceneLayer } from "../rig/scene.ts";

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
