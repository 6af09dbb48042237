import { AffineReference } from "./affine.ts";
import { frameState } from "../rig/frame-state.ts";
import { MotionSamples } from "./motion-samples.ts";
import type { Scene, SceneLayer } from "../rig/scene.ts";

/** What makes a layer's picture change: the breath, the head alone, the jaw and cheeks, or its own life. */
type Kind = "body" | "head" | "jaw" | "eyes" | "mouth" | "brow";

/** How much less exactly, in units, one map may move two layers together than each by itself. */
const apartUnits = 0.15;

const smallPose = { headTurn: 0.12, headNod: 0.12, headTilt: 0.12 };

/**
 * Splits the layers, in paint order, into runs of neighbours that change for the same reasons and move alike, so that
 * each run can be kept as one picture.
 */
export function layerRuns(scene: Scene): SceneLayer[][] {
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
  return runs.map((run) => run.layers);
}

function kindOf({ layer, parts }: SceneLayer): Kind {
  if (!layer.followsHead) return "body";
  if (parts.some(({ shape }) => shape.mouth !== undefined)) return "mouth";
  if (layer.side !== undefined || parts.some(({ shape }) => shape.blink !== undefined)) return "eyes";
  if (layer.brow) return "brow";
  return layer.jaw || layer.lip || layer.cheek !== 0 ? "jaw" : "head";
}

function joins(scene: Scene, kind: Kind, run: readonly SceneLayer[], layer: SceneLayer): boolean {
  if (kind === "brow") return false;
  if (kind !== "head" && kind !== "jaw") return true;
  const apart = Math.max(bending(scene, run), bending(scene, [layer]));
  return bending(scene, [...run, layer]) <= apart + apartUnits;
}

/** How far a small head motion of these layers is from an affine map, in units. */
function bending(scene: Scene, layers: readonly SceneLayer[]): number {
  const samples = new MotionSamples(layers);
  const rest = new AffineReference(samples.at(frameState(scene.character, {}), 1));
  return rest.fit(samples.at(frameState(scene.character, smallPose), 1)).residual;
}
