import { Glide } from "./glide.ts";
import type { Pose } from "./poses.ts";
import { between, type Random } from "./random.ts";

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
export class Posture {
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
