import { between, createRandom, Glide, type Random, wander } from "./random.ts";
import type { Pose } from "./poses.ts";
import { clamp } from "../math.ts";

/** How far a usual posture shift moves the head, as head angles. */
const turnReach = 0.17;
const tiltReach = 0.2;
const nodReach = 0.1;

/** A new posture differs from the last one at least this much, as a share of the reach; a smaller shift is not seen. */
const leastShare = 0.55;

interface Held {
  readonly turn: number;
  readonly tilt: number;
  readonly nod: number;
}

/** Small shifts of posture: now and then the head settles a little differently, and stays there for a while. */
class Posture {
  readonly #turn = new Glide(900);
  readonly #tilt = new Glide(1100);
  readonly #nod = new Glide(950);
  #target: Held = { turn: 0, tilt: 0, nod: 0 };
  #nextMs: number | undefined;
  #pose: Pose | undefined;

  constructor(private readonly random: Random) {}

  /** The head's posture after `elapsedMs`. `calm` brings it back to the middle. */
  step(nowMs: number, elapsedMs: number, pose: Pose, calm: boolean): Held {
    if (this.#nextMs === undefined || pose !== this.#pose) {
      this.#nextMs = nowMs + between(this.random, pose.shiftEveryMs) * (this.#pose ? 0.6 : 0.3);
      this.#pose = pose;
    }
    if (nowMs >= this.#nextMs) {
      this.#target = this.#choose();
      this.#nextMs = nowMs + between(this.random, pose.shiftEveryMs);
    }
    const part = calm ? 0 : pose.shift;
    return {
      turn: this.#turn.step(this.#target.turn * part, elapsedMs),
      tilt: this.#tilt.step(this.#target.tilt * part, elapsedMs),
      nod: this.#nod.step(this.#target.nod * part, elapsedMs),
    };
  }

  #choose(): Held {
    const away = (reach: number, last: number): number => {
      const share = leastShare + (2 - leastShare) * this.random();
      // From a side, the shift goes towards the other side; from the middle, to any side.
      const side = last === 0 ? Math.sign(this.random() - 0.5) : -Math.sign(last);
      return Math.max(-reach, Math.min(reach, last + side * share * reach));
    };
    return {
      turn: away(turnReach, this.#target.turn),
      tilt: away(tiltReach, this.#target.tilt),
      nod: away(nodReach, this.#target.nod),
    };
  }
}

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
