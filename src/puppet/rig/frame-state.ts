import type { Character, Driver, MouthKey } from "../format/character.ts";
import { clamp } from "../math.ts";
import type { FullParams, PuppetParams } from "../params.ts";
import { completeParams } from "../params.ts";

/** A mouth shape and how much of it is in the mix. */
interface WeightedKey {
  readonly name: string;
  readonly weight: number;
  readonly key: MouthKey;
}

/** Everything about one frame that is the same for all points (character format §5). */
export interface FrameState {
  readonly params: FullParams;
  readonly mouth: readonly WeightedKey[];
  /** How far the jaw is down, in units. */
  readonly jaw: number;
  readonly lipY: number;
  readonly lipScale: number;
  /** The smile of the mouth (Ws), and the smile of the whole face (Sm). */
  readonly mouthSmile: number;
  readonly smile: number;
  readonly concern: number;
  readonly cosYaw: number;
  readonly sinYaw: number;
  readonly cosPitch: number;
  readonly sinPitch: number;
  readonly cosRoll: number;
  readonly sinRoll: number;
  readonly perspective: number;
}

/** Computes the state of a frame from its parameters. */
export function frameState({ mouth, rig }: Character, given: PuppetParams): FrameState {
  const params = completeParams(given);
  const weights = mouthWeights(params, mouth.keys);
  const mix: WeightedKey[] = [];
  let [jaw, lipY, lipScale] = [mouth.restJaw, mouth.restLipY, mouth.restLipScale];
  for (const [name, weight] of weights) {
    const key = mouth.keys.get(name);
    if (key === undefined || weight === 0) continue;
    mix.push({ name, weight, key });
    jaw += weight * key.jaw;
    lipY += weight * key.lipY;
    lipScale += weight * key.lipScale;
  }
  const mouthSmile = clamp((weights.get("smile") ?? 0) + (weights.get("smileClosed") ?? 0));
  const yaw = params.headTurn * rig.head.maxYaw;
  const pitch = params.headNod * rig.head.maxPitch;
  const roll = params.headTilt * rig.head.maxRoll;
  return {
    params,
    mouth: mix,
    jaw,
    lipY,
    lipScale,
    mouthSmile,
    smile: clamp(Math.max(params.smile * 0.9, mouthSmile)),
    concern: clamp((weights.get("concern") ?? 0) + params.browConcern),
    cosYaw: Math.cos(yaw),
    sinYaw: Math.sin(yaw),
    cosPitch: Math.cos(pitch),
    sinPitch: Math.sin(pitch),
    cosRoll: Math.cos(roll),
    sinRoll: Math.sin(roll),
    perspective: rig.head.perspective * Math.min(1, Math.abs(yaw) * 3 + Math.abs(pitch) * 3),
  };
}

/** Viseme weights sum to at most 1. Closed lips stay closed in a smile; open visemes reduce it (character format §5.1). */
function mouthWeights(params: FullParams, keys: ReadonlyMap<string, unknown>): Map<string, number> {
  const weights = new Map<string, number>();
  let sum = 0;
  for (const [name, given] of Object.entries(params.visemeWeights)) {
    if (!keys.has(name)) continue;
    const weight = Math.max(0, given);
    weights.set(name, weight);
    sum += weight;
  }
  if (sum > 1) for (const [name, weight] of weights) weights.set(name, weight / sum);
  const shut = Math.min(1, (weights.get("PP") ?? 0) + 0.6 * (weights.get("FF") ?? 0));
  const exposed = 1 - 0.55 * Math.min(1, sum);
  const add = (name: string, weight: number): void => {
    if (keys.has(name)) weights.set(name, (weights.get(name) ?? 0) + weight);
  };
  add("smileClosed", params.smile * shut * 0.75);
  add("smile", params.smile * exposed * (1 - shut));
  add("concern", params.concern * exposed);
  return weights;
}

/** How far a driver fades its shapes in, 0…1 (character format §3, Drivers). */
export function driverValue(driver: Driver, state: FrameState): number {
  switch (driver) {
    case "smile":
      return state.smile;
    case "concern":
      return state.concern;
    case "browRaise":
      return state.params.browRaise;
    case "turnL":
      return clamp(-state.params.headTurn);
    case "turnR":
      return clamp(state.params.headTurn);
  }
}
