import { AffineReference } from "./affine.ts";
import { frameState } from "./frame-state.ts";
import { MotionSamples } from "./motion-samples.ts";
import type { Scene, SceneLayer } from "./scene.ts";

/** What makes a layer's picture change: the breath, the head alone, the jaw and cheeks, or its own life. */
type Kind = "body" | "head" | "jaw" | "eyes" | "mouth" | "brow";

/** Layers of a small head motion apart by more than this many units are not kept in one picture. */
const apartUnits = 0.3;

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
    if (last && (last.kind === kind || within) && joins(scene, last.kind, [...last.layers, layer])) {
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

function joins(scene: Scene, kind: Kind, layers: readonly SceneLayer[]): boolean {
  if (kind === "brow") return false;
  if (kind !== "head" && kind !== "jaw") return true;
  const samples = new MotionSamples(layers);
  const rest = new AffineReference(samples.at(frameState(scene.character, {}), 1));
  return rest.fit(samples.at(frameState(scene.character, smallPose), 1)).residual <= apartUnits;
}
