import { clamp } from "../math.ts";
import { Glide } from "./glide.ts";
import type { Pose } from "./poses.ts";
import { Posture } from "./posture.ts";
import { createRandom, wander } from "./random.ts";

/** How the head is held, −1…1 each. */
export interface HeadPose {
  readonly headTurn: number;
  readonly headTilt: number;
  readonly headNod: number;
}

/** The limit of each head angle: beyond it, the drawing no longer looks like the character. */
const farthest = 0.7;

/** Two slow waves of different lengths, so that the drift never repeats visibly. */
function drifting(seed: number, nowMs: number, periodMs: number): number {
  return 0.65 * wander(seed, nowMs, periodMs) + 0.35 * wander(seed + 101, nowMs, periodMs * 2.7);
}

/** A head that is never quite still: it holds its pose, shifts its posture, drifts a little, and makes the given gestures. */
export class HeadMotion {
  readonly #turn = new Glide(420);
  readonly #tilt = new Glide(520);
  readonly #nod = new Glide(360);
  readonly #drift = new Glide(800);
  readonly #posture: Posture;

  constructor(private readonly seed: number) {
    this.#posture = new Posture(createRandom(seed + 7));
  }

  /**
   * The head's pose after `elapsedMs`. `gestures` are added without smoothing. `calm` keeps the head still in the middle.
   */
  step(nowMs: number, elapsedMs: number, pose: Pose, gestures: HeadPose, calm: boolean): HeadPose {
    const part = calm ? 0 : 1;
    const drift = this.#drift.step(part * pose.drift, elapsedMs);
    const posture = this.#posture.step(nowMs, elapsedMs, pose, calm);
    const held = (value: number): number => clamp(value, -farthest, farthest);
    return {
      headTurn: held(
        this.#turn.step(pose.headTurn * part, elapsedMs) +
          posture.turn +
          drift * 0.06 * drifting(this.seed, nowMs, 3100) +
          part * gestures.headTurn,
      ),
      headTilt: held(
        this.#tilt.step(pose.headTilt * part, elapsedMs) +
          posture.tilt +
          drift * 0.05 * drifting(this.seed + 1, nowMs, 3700) +
          part * gestures.headTilt,
      ),
      headNod: held(
        this.#nod.step(pose.headNod * part, elapsedMs) +
          posture.nod +
          drift * 0.045 * drifting(this.seed + 2, nowMs, 2900) +
          part * gestures.headNod,
      ),
    };
  }
}
