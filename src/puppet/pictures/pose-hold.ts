import type { Character } from "../format/character.ts";
import type { PuppetParams } from "../params.ts";

/** The slow part of a pose: what moves the whole figure, and with it nearly all of the picture. */
const slow = ["headTurn", "headNod", "headTilt", "breath", "swayX", "swayY"] as const;

/** How far the figure may lag behind its pose, at the point that moves most, in device pixels. */
const heldPx = 0.9;

/** How far the outline of a head is from the axes that it turns, nods and tilts about, in units. */
const reach = { headTurn: 90, headNod: 110, headTilt: 240 };

const breathUnits = 2;

/**
 * Lets the figure stand still while its drift is too small to be seen, so that most frames move eyes and mouth alone,
 * which is several times cheaper. Faster motion, such as a nod, passes through frame by frame.
 */
export class PoseHold {
  /** How many pixels the picture moves at most with one of each parameter. */
  readonly #pixels: Record<(typeof slow)[number], number>;
  #held: PuppetParams | undefined;

  /** For pictures of `sizePx`. */
  constructor({ rig: { head }, layers, sizeUnits }: Character, sizePx: number) {
    const scale = sizePx / sizeUnits;
    const farthest = (axis: "x" | "y"): number =>
      Math.max(0, ...layers.map(({ sway }) => (sway ? Math.abs(sway[axis]) : 0)));
    this.#pixels = {
      headTurn: scale * head.maxYaw * reach.headTurn,
      headNod: scale * head.maxPitch * reach.headNod,
      headTilt: scale * head.maxRoll * reach.headTilt,
      breath: scale * breathUnits,
      swayX: scale * farthest("x"),
      swayY: scale * farthest("y"),
    };
  }

  /** The pose to show for this one. */
  hold(params: PuppetParams): PuppetParams {
    const held = this.#held;
    const movedPx = held
      ? slow.reduce(
          (sum, name) => sum + this.#pixels[name] * Math.abs((params[name] ?? 0) - (held[name] ?? 0)),
          0,
        )
      : Infinity;
    if (movedPx >= heldPx) this.#held = params;
    const shown = this.#held ?? params;
    return { ...params, ...Object.fromEntries(slow.map((name) => [name, shown[name] ?? 0])) };
  }
}
