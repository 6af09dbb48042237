import type { Character, Layer, Shape } from "../format/character.ts";
import type { Mover, MutablePoint } from "./deformation.ts";
import { deform, entersHeadAtRest } from "./deformation.ts";
import { depthAt } from "./depth.ts";
import type { FrameState } from "./frame-state.ts";
import { clamp } from "../math.ts";

/** The points of one shape, frame by frame. It keeps its buffers, so a result is valid until the next frame. */
export class ShapeGeometry {
  readonly mover: Mover;
  readonly #mixed: Float32Array;
  readonly #moved: Float32Array;
  readonly #point: MutablePoint = { x: 0, y: 0 };
  #depths: Float32Array | undefined;
  #movedFor: FrameState | undefined;

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
    this.#point.x = this.#mixAt(index * 2, state);
    this.#point.y = this.#mixAt(index * 2 + 1, state);
    deform(this.mover, state, this.#point, this.#restingDepths()?.[index]);
    return this.#point;
  }

  #mix(state: FrameState): Float32Array {
    if (!this.shape.blink && this.shape.mouth === undefined) return this.shape.outline.points;
    const { length } = this.#mixed;
    for (let i = 0; i < length; i++) this.#mixed[i] = this.#mixAt(i, state);
    return this.#mixed;
  }

  #mixAt(i: number, state: FrameState): number {
    const { blink, mouth, outline } = this.shape;
    const rest = outline.points[i]!;
    if (blink) {
      const lid = lidClosure(this.character, this.layer, state);
      const shut =
        lid <= 0.5
          ? rest + (blink.half[i]! - rest) * lid * 2
          : blink.half[i]! + (blink.closed[i]! - blink.half[i]!) * (lid * 2 - 1);
      const squint = blink.smile ? (blink.smile[i]! - rest) * state.smile * (1 - clamp(lid)) : 0;
      return shut + squint;
    }
    if (mouth === undefined) return rest;
    let sum = rest;
    for (const { weight, key } of state.mouth) sum += weight * key.deltas[mouth]![i]!;
    return sum;
  }

  /** Depth depends on the resting point alone for most shapes; it is the costly part, so it is kept. */
  #restingDepths(): Float32Array | undefined {
    if (this.#depths) return this.#depths;
    const { points } = this.shape.outline;
    const moves = this.shape.blink !== undefined || this.shape.mouth !== undefined;
    if (moves || !this.layer.followsHead || !entersHeadAtRest(this.mover)) return undefined;
    this.#depths = new Float32Array(points.length / 2);
    for (let i = 0; i < this.#depths.length; i++) {
      this.#depths[i] = depthAt(this.layer, this.character.rig, points[i * 2]!, points[i * 2 + 1]!);
    }
    return this.#depths;
  }
}

/** How far the lid of a layer's eye is closed: blink and gaze together, −0.12…1 (character format §5.2). */
function lidClosure({ rig }: Character, { side }: Layer, { params }: FrameState): number {
  const own = side === "l" ? params.blinkL : side === "r" ? params.blinkR : 0;
  const gaze = Math.max(0, params.gazeY) * rig.lid.down - Math.max(0, -params.gazeY) * rig.lid.up;
  return clamp(Math.max(params.blink, own) + gaze, -0.12, 1);
}
