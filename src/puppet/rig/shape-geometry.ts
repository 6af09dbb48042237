import type { BlinkKeys, Character, Layer, Shape } from "../format/character.ts";
import type { Mover, MutablePoint } from "./deformation.ts";
import { deform, entersHeadAtRest } from "./deformation.ts";
import { depthAt } from "./depth.ts";
import type { FrameState } from "./frame-state.ts";
import { clamp } from "../math.ts";

/** A difference from the resting outline, and its weight. */
interface Blend {
  readonly weight: number;
  readonly delta: Float32Array;
}

/** The points of one shape, frame by frame. The buffers are reused, so a result is valid until the next frame. */
export class ShapeGeometry {
  readonly mover: Mover;
  readonly #mixed: Float32Array;
  readonly #moved: Float32Array;
  readonly #point: MutablePoint = { x: 0, y: 0 };
  /** Null: they change. */
  #depths: Float32Array | null | undefined;
  #movedFor: FrameState | undefined;
  #blended: { readonly state: FrameState; readonly blends: readonly Blend[] } | undefined;

  constructor(
    private readonly character: Character,
    private readonly layer: Layer,
    readonly shape: Shape,
  ) {
    this.mover = { rig: character.rig, layer, gazeTravel: shape.gazeTravel };
    const { length } = shape.outline.points;
    this.#moved = new Float32Array(length);
    this.#mixed = shape.blink || shape.mouth !== undefined ? new Float32Array(length) : shape.outline.points;
  }

  /** All points of this frame, x, y, x, y… in units. */
  points(state: FrameState): Float32Array {
    if (this.#movedFor === state) return this.#moved;
    this.#movedFor = state;
    const { length } = this.#moved;
    const source = this.#mix(state);
    const depths = this.#restingDepths();
    for (let i = 0; i < length; i += 2) {
      this.#point.x = source[i]!;
      this.#point.y = source[i + 1]!;
      deform(this.mover, state, this.#point, depths?.[i >> 1]);
      this.#moved[i] = this.#point.x;
      this.#moved[i + 1] = this.#point.y;
    }
    return this.#moved;
  }

  /** Where one point of the outline is now, without computing the others; `index` counts points. */
  pointAt(index: number, state: FrameState): MutablePoint {
    const rest = this.shape.outline.points;
    const i = index * 2;
    let [x, y] = [rest[i]!, rest[i + 1]!];
    if (this.#mixed !== rest)
      for (const { weight, delta } of this.#blend(state)) {
        x += weight * delta[i]!;
        y += weight * delta[i + 1]!;
      }
    this.#point.x = x;
    this.#point.y = y;
    deform(this.mover, state, this.#point, this.#restingDepths()?.[index]);
    return this.#point;
  }

  #mix(state: FrameState): Float32Array {
    const rest = this.shape.outline.points;
    if (this.#mixed === rest) return rest;
    this.#mixed.set(rest);
    for (const { weight, delta } of this.#blend(state)) {
      for (let i = 0; i < delta.length; i++) this.#mixed[i]! += weight * delta[i]!;
    }
    return this.#mixed;
  }

  /** What is added to the resting outline in this frame. */
  #blend(state: FrameState): readonly Blend[] {
    if (this.#blended?.state !== state) {
      const { blink, mouth } = this.shape;
      const blends = blink
        ? blinkBlend(blink, lidClosure(this.character, this.layer, state), state.smile)
        : state.mouth.map(({ weight, key }) => ({ weight, delta: key.deltas[mouth ?? ""]! }));
      this.#blended = { state, blends };
    }
    return this.#blended.blends;
  }

  /** For most shapes, depth depends only on the resting point. It is expensive, so it is cached. */
  #restingDepths(): Float32Array | null {
    if (this.#depths === undefined) this.#depths = this.#computeRestingDepths();
    return this.#depths;
  }

  #computeRestingDepths(): Float32Array | null {
    const { points } = this.shape.outline;
    const moves = this.shape.blink !== undefined || this.shape.mouth !== undefined;
    if (moves || !this.layer.followsHead || !entersHeadAtRest(this.mover)) return null;
    const depths = new Float32Array(points.length / 2);
    for (let i = 0; i < depths.length; i++)
      depths[i] = depthAt(this.layer, this.character.rig, points[i * 2]!, points[i * 2 + 1]!);
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
