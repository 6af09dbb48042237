import { smooth } from "../math.ts";
import type { Pose } from "./poses.ts";
import type { Random } from "./random.ts";

/** Where the eyes look, −1…1 each. */
export interface Look {
  readonly x: number;
  readonly y: number;
}

const saccadeMs = 50;
const calmMs = 300;

/** Share of the fixations that rest on the pose's own place, which is mostly the visitor. */
const steadyShare = 0.6;

/** Eyes that jump between fixations and are still in between, as eyes are. */
export class Gaze {
  #from: Look = { x: 0, y: 0 };
  #to: Look = { x: 0, y: 0 };
  #startMs = -Infinity;
  #nextMs = -Infinity;
  #pose: Pose | undefined;

  constructor(private readonly random: Random) {}

  /** Where the eyes look now. `calm` keeps them at the pose's place and lets them move there slowly. */
  at(nowMs: number, pose: Pose, calm: boolean): Look {
    const durationMs = calm ? calmMs : saccadeMs;
    if (pose !== this.#pose || (!calm && nowMs >= this.#nextMs)) {
      this.#from = this.#look(nowMs, durationMs);
      this.#to = this.#choose(pose, calm || pose !== this.#pose);
      this.#startMs = this.#pose ? nowMs : -Infinity;
      this.#nextMs = nowMs + 700 + 1900 * this.random();
      this.#pose = pose;
    }
    return this.#look(nowMs, durationMs);
  }

  #choose(pose: Pose, steady: boolean): Look {
    if (steady || this.random() < steadyShare) return { x: pose.gazeX, y: pose.gazeY };
    const aside = (): number => (this.random() * 2 - 1) * pose.gazeReach;
    return { x: pose.gazeX + aside(), y: pose.gazeY + aside() * 0.6 };
  }

  #look(nowMs: number, durationMs: number): Look {
    const t = smooth(0, durationMs, nowMs - this.#startMs);
    return {
      x: this.#from.x + (this.#to.x - this.#from.x) * t,
      y: this.#from.y + (this.#to.y - this.#from.y) * t,
    };
  }
}
