import type { MovingCharacter } from "../format/character.ts";
import type { PuppetParams } from "../params.ts";

/** The slow parameters of a pose: those that move the whole head, and with it nearly all of the picture. */
const headMoves = ["headTurn", "headNod", "headTilt", "swayX", "swayY"] as const;

type HeadMove = (typeof headMoves)[number];

/** How far the head may lag behind its pose, at the point that moves most, in device pixels. */
const heldHeadPx = 0.9;

/** The same for the chest. It is less, because the chest moves less and has long horizontal edges. */
const heldBreathPx = 0.4;

/** The distance of the head outline from the axes of turn, nod and tilt, in units. */
const reach = { headTurn: 90, headNod: 110, headTilt: 240 };

const breathUnits = 2;

/** Only loose ends of hair sway, where a lag is less visible, so sway counts for less. */
const swayShare = 0.5;

/**
 * Keeps head and chest still while their drift is too small to see, so that only eyes and mouth move in most frames,
 * which is several times cheaper. Faster motion, such as a nod, passes through frame by frame.
 */
export class PoseHold {
  /** How many pixels the head moves at most when each parameter changes by 1. */
  readonly #headPixels: Record<HeadMove, number>;
  readonly #breathPixels: number;
  #head: Record<HeadMove, number> | undefined;
  #breath: number | undefined;

  /** For pictures of `sizePx`. */
  constructor({ rig: { head }, layers, sizeUnits }: MovingCharacter, sizePx: number) {
    const scale = sizePx / sizeUnits;
    const swing = (axis: "x" | "y"): number =>
      scale * swayShare * Math.max(0, ...layers.map(({ sway }) => Math.abs(sway?.[axis] ?? 0)));
    this.#headPixels = {
      headTurn: scale * head.maxYaw * reach.headTurn,
      headNod: scale * head.maxPitch * reach.headNod,
      headTilt: scale * head.maxRoll * reach.headTilt,
      swayX: swing("x"),
      swayY: swing("y"),
    };
    this.#breathPixels = scale * breathUnits;
  }

  /** The pose to draw instead of this one. */
  hold(params: PuppetParams): PuppetParams {
    return { ...params, ...this.#holdHead(params), breath: this.#holdBreath(params.breath ?? 0) };
  }

  #holdHead(params: PuppetParams): Record<HeadMove, number> {
    const { headTurn = 0, headNod = 0, headTilt = 0, swayX = 0, swayY = 0 } = params;
    const now = { headTurn, headNod, headTilt, swayX, swayY };
    const held = this.#head ?? now;
    const movedPx = headMoves.reduce(
      (sum, name) => sum + this.#headPixels[name] * Math.abs(now[name] - held[name]),
      0,
    );
    return (this.#head = movedPx < heldHeadPx ? held : now);
  }

  #holdBreath(now: number): number {
    const held = this.#breath ?? now;
    return (this.#breath = Math.abs(now - held) * this.#breathPixels < heldBreathPx ? held : now);
  }
}
