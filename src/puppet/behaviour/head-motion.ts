import { clamp } from "../math.ts";
import { Glide } from "./glide.ts";
import type { Pose } from "./poses.ts";
import { wander } from "./random.ts";

/** How the head is held, −1…1 each. */
export interface HeadPose {
  readonly headTurn: number;
  readonly headTilt: number;
  readonly headNod: number;
}

/** The farthest that the head turns: beyond, the drawing loses its likeness. */
const farthest = 0.7;

/** A head that is never quite still: it holds its pose, wanders a little around it, and takes up nods. */
export class HeadMotion {
  readonly #turn = new Glide(420);
  readonly #tilt = new Glide(520);
  readonly #nod = new Glide(360);
  readonly #drift = new Glide(800);

  constructor(private readonly seed: number) {}

  /** The head's pose after `elapsedMs`; `nod` is added at once. `calm` holds the head still, with its pose halved. */
  step(nowMs: number, elapsedMs: number, pose: Pose, nod: number, calm: boolean): HeadPose {
    const drift = this.#drift.step(calm ? 0 : pose.drift, elapsedMs);
    const part = calm ? 0.5 : 1;
    const held = (value: number): number => clamp(value, -farthest, farthest);
    return {
      headTurn: held(
        this.#turn.step(pose.headTurn * part, elapsedMs) + drift * 0.06 * wander(this.seed, nowMs, 3100),
      ),
      headTilt: held(
        this.#tilt.step(pose.headTilt * part, elapsedMs) + drift * 0.05 * wander(this.seed + 1, nowMs, 3700),
      ),
      headNod: held(
        this.#nod.step(pose.headNod * part, elapsedMs) +
          drift * 0.035 * wander(this.seed + 2, nowMs, 2900) +
          (calm ? 0 : nod),
      ),
    };
  }
}
