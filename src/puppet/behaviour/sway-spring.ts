import type { SwaySettings } from "../format/rig-settings.ts";
import { clamp } from "../math.ts";

/** The head pose that drives the spring. */
export interface SwayInput {
  readonly headTurn: number;
  readonly headTilt: number;
  readonly headNod: number;
}

const stepMs = 1000 / 120;

/** Longer gaps, as in a hidden page, are cut to this length. */
const longestMs = 250;

/** Secondary motion: loose ends lag behind the head and swing out (character format §9). */
export class SwaySpring {
  readonly #stiffness: number;
  readonly #friction: number;
  #place: { x: number; y: number } | undefined;
  #speedX = 0;
  #speedY = 0;
  #pendingMs = 0;

  constructor(private readonly settings: SwaySettings) {
    const omega = 2 * Math.PI * settings.hz;
    this.#stiffness = omega * omega;
    this.#friction = 2 * settings.damping * omega;
  }

  /** Advances the spring by `elapsedMs` with this head pose. Returns the sway, −1…1 each. */
  step(pose: SwayInput, elapsedMs: number): { swayX: number; swayY: number } {
    const { turn, tilt, nod, gain, limit } = this.settings;
    const targetX = turn * pose.headTurn + tilt * pose.headTilt;
    const targetY = nod * pose.headNod;
    const place = (this.#place ??= { x: targetX, y: targetY });
    const seconds = stepMs / 1000;
    this.#pendingMs += Math.min(elapsedMs, longestMs);
    for (; this.#pendingMs >= stepMs; this.#pendingMs -= stepMs) {
      this.#speedX += (this.#stiffness * (targetX - place.x) - this.#friction * this.#speedX) * seconds;
      place.x += this.#speedX * seconds;
      this.#speedY += (this.#stiffness * (targetY - place.y) - this.#friction * this.#speedY) * seconds;
      place.y += this.#speedY * seconds;
    }
    return {
      swayX: clamp(gain * (place.x - targetX), -limit, limit),
      swayY: clamp(gain * (place.y - targetY), -limit, limit),
    };
  }
}
