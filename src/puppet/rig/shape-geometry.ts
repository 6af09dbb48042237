import type { BlinkKeys, Character, Layer, Shape } from "../format/character.ts";
import { deform, depthAt, entersHeadAtRest, type Mover } from "./deformation.ts";
import type { FrameState } from "./frame-state.ts";
import { clamp } from "../math.ts";

/** A difference from the resting outline, and its weight. */
interface Blend {
  readonly weight: number;
  readonly delta: Float32Array;
}

/** Some points of one shape, frame by frame. The buffers are reused, so a result is valid until the next frame. */
export class ShapeGeometry {
  readonly mover: Mover;
  readonly #rest: Float32Array;
  readonly #moved: Float32Array;
  /** Null: they change. */
  #depths: Float32Array | null | undefined;
  #movedFor: FrameState | undefined;
  /** The chosen points of differences from the resting outline. */
  readonly #deltas = new Map<Float32Array, Float32Array>();

  /** `chosen` are the points' indices in the outline; all by default. */
  constructor(
    private readonly character: Character,
    private readonly layer: Layer,
    readonly shape: Shape,
    private readonly chosen?: readonly number[],
  ) {
    this.mover = { rig: character.rig, layer, gazeTravel: shape.gazeTravel };
    this.#rest = this.#choose(shape.outline.points);
    this.#moved = new Float32Array(this.#rest.length);
  }

  /** Some of its points; `chosen` are their indices in the outline. */
  some(chosen: readonly number[]): ShapeGeometry {
    return new ShapeGeometry(this.character, this.layer, this.shape, chosen);
  }

  /** The points of this frame, x, y, x, y… in units. */
  points(state: FrameState): Float32Array {
    if (this.#movedFor === state) return this.#moved;
    this.#movedFor = state;
    const rest = this.#rest;
    const places = this.#moved;
    for (let i = 0; i < rest.length; i++) places[i] = rest[i]!;
    for (const { weight, delta } of this.#blend(state)) {
      const chosen = this.#deltaOf(delta);
      for (let i = 0; i < chosen.length; i++) places[i]! += weight * chosen[i]!;
    }
    deform(this.mover, state, places, this.#restingDepths());
    return places;
  }

  #choose(all: Float32Array): Float32Array {
    return this.chosen ? Float32Array.from(this.chosen.flatMap((i) => [all[2 * i]!, all[2 * i + 1]!])) : all;
  }

  #deltaOf(all: Float32Array): Float32Array {
    const known = this.#deltas.get(all) ?? this.#choose(all);
    this.#deltas.set(all, known);
    return known;
  }

  /** What is added to the resting outline in this frame. */
  #blend(state: FrameState): readonly Blend[] {
    const { blink, mouth } = this.shape;
    if (blink) return blinkBlend(blink, lidClosure(this.character, this.layer, state), state.smile);
    return mouth === undefined
      ? []
      : state.mouth.map(({ weight, key }) => ({ weight, delta: key.deltas[mouth]! }));
  }

  /** For most shapes, depth depends only on the resting point. It is expensive, so it is cached. */
  #restingDepths(): Float32Array | null {
    if (this.#depths === undefined) this.#depths = this.#computeRestingDepths();
    return this.#depths;
  }

  #computeRestingDepths(): Float32Array | null {
    const moves = this.shape.blink !== undefined || this.shape.mouth !== undefined;
    if (moves || !this.layer.followsHead || !entersHeadAtRest(this.mover)) return null;
    const rest = this.#rest;
    const depths = new Float32Array(rest.length / 2);
    for (let i = 0; i < depths.length; i++)
      depths[i] = depthAt(this.layer, this.character.rig, rest[i * 2]!, rest[i * 2 + 1]!);
    return depths;
  }
}

/** Blends open to half, then half to closed, with the squint of a smile while the eye is open (character format §5.2). */
function blinkBlend({ half, closed, smile }: BlinkKeys, lid: number, smiling: number): Blend[] {
  const blends =
    lid <= 0.5
      ? [{ weight: 2 * lid, delta: half }]
      : [
          { weight: 2 - 2 * lid, delta: half },
          { weight: 2 * lid - 1, delta: closed },
        ];
  if (smile) blends.push({ weight: smiling * (1 - clamp(lid)), delta: smile });
  return blends;
}

/** How far the lid of a layer's eye is closed: blink and gaze together, −0.12…1 (character format §5.2). */
function lidClosure({ rig }: Character, { side }: Layer, { params }: FrameState): number {
  const own = side === "l" ? params.blinkL : side === "r" ? params.blinkR : 0;
  const gaze = Math.max(0, params.gazeY) * rig.lid.down - Math.max(0, -params.gazeY) * rig.lid.up;
  return clamp(Math.max(params.blink, own) + gaze, -0.12, 1);
}
