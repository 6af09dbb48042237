import { AffineReference } from "./affine.ts";
import { frameState } from "../rig/frame-state.ts";
import { MotionSamples } from "./motion-samples.ts";
import type { Scene, SceneLayer } from "../rig/scene.ts";

/** What makes a layer's picture change: the breath, the head alone, the jaw and cheeks, or its own life. */
type Kind = "body" | "head" | "jaw" | "eyes" | "mouth" | "brow";

/** Neighbouring layers that can share a picture. */
export interface LayerRun {
  readonly layers: readonly SceneLayer[];
  /** Eyes and mouth: small, looked at closely, and never late. */
  readonly isLively: boolean;
  /** Moved by the pose of head and chest alone. */
  readonly isPosed: boolean;
}

/** How much less exactly, in units, one map may move two layers together than each by itself. */
const apartUnits = 0.3;

/** Runs of more points than this are not joined further: what is drawn anew at once should stay small. */
const mostPoints = 6000;

const smallPose = { headTurn: 0.12, headNod: 0.12, headTilt: 0.12 };

/**
 * Splits the layers, in paint order, into runs of neighbours that change for the same reasons and move alike, so that
 * each run can be kept as one picture.
 */
export function layerRuns(scene: Scene): LayerRun[] {
  const { layers } = scene;
  const runs: { kind: Kind; layers: SceneLayer[] }[] = [];
  layers.forEach((layer, i) => {
    const kind = kindOf(layer);
    const next = layers[i + 1];
    const last = runs.at(-1);
    // A layer that only turns with the head, between two that also follow the jaw, belongs to these.
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

/** How many points some layers have: a measure of what drawing them costs. */
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
  return rest.fit(samples.at(frameState(scene.character, smallPose), 1)).residual;
}
