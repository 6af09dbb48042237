import { smooth } from "../math.ts";
import type { Pose, Span } from "./poses.ts";
import { between, type Random } from "./random.ts";

/** Where the eyes look, −1…1 each. */
export interface Look {
  readonly x: number;
  readonly y: number;
}

const saccadeMs = 50;
const calmMs = 300;

/** While the eyes rest on a point, they still jump around it: this far, and this often. */
const microReach: Look = { x: 0.13, y: 0.08 };
const microEveryMs: Span = [350, 1300];

/** A glance goes at least this share of its reach, so that it is seen as one. */
const leastGlance = 0.6;

/** How long the eyes leave the visitor at the beginning of a thought. */
const thoughtMs: Span = [380, 800];

type Phase = "rest" | "away";

/** Eyes that jump between fixations and keep still in between, as real eyes do. */
export class Gaze {
  #from: Look = { x: 0, y: 0 };
  #to: Look = { x: 0, y: 0 };
  #startMs = -Infinity;
  #pose: Pose | undefined;
  #phase: Phase = "rest";
  /** Where the eyes are apart from the small jumps. */
  #point: Look = { x: 0, y: 0 };
  #phaseEndMs = -Infinity;
  #microMs = -Infinity;
  /** When thoughts begin. */
  #thoughts: number[] = [];

  constructor(private readonly random: Random) {}

  /** A thought begins at this time: the eyes leave the visitor for a moment. */
  addThought(atMs: number): void {
    this.#thoughts.push(atMs);
  }

  /** Drops the thoughts that have not begun. */
  forgetThoughts(): void {
    this.#thoughts = [];
  }

  /** Where the eyes look now. `calm` keeps them at the pose's gaze point and moves them there slowly. */
  at(nowMs: number, pose: Pose, calm: boolean): Look {
    const durationMs = calm ? calmMs : saccadeMs;
    const isThought = this.#takeThought(nowMs) && !calm;
    if (pose !== this.#pose) this.#beginPose(nowMs, pose, calm);
    else if (isThought) this.#leave(nowMs, thoughtMs, pose, calm);
    else if (!calm && nowMs >= this.#phaseEndMs) this.#changePhase(nowMs, pose);
    else if (!calm && nowMs >= this.#microMs) this.#jump(nowMs, this.#nearPoint(nowMs), durationMs);
    return this.#look(nowMs, durationMs);
  }

  #takeThought(nowMs: number): boolean {
    const due = this.#thoughts.some((atMs) => atMs <= nowMs);
    if (due) this.#thoughts = this.#thoughts.filter((atMs) => atMs > nowMs);
    return due;
  }

  #beginPose(nowMs: number, pose: Pose, calm: boolean): void {
    const isFirst = this.#pose === undefined;
    this.#pose = pose;
    this.#rest(nowMs, pose);
    this.#jump(nowMs, this.#point, calm ? calmMs : saccadeMs);
    if (isFirst) this.#startMs = -Infinity;
  }

  #changePhase(nowMs: number, pose: Pose): void {
    if (this.#phase === "rest") this.#leave(nowMs, pose.gazeAwayMs, pose, false);
    else {
      this.#rest(nowMs, pose);
      this.#jump(nowMs, this.#point, saccadeMs);
    }
  }

  #rest(nowMs: number, pose: Pose): void {
    this.#phase = "rest";
    this.#point = { x: pose.gazeX, y: pose.gazeY };
    this.#phaseEndMs = nowMs + between(this.random, pose.gazeRestMs);
  }

  #leave(nowMs: number, awayMs: Span, pose: Pose, calm: boolean): void {
    this.#phase = "away";
    this.#phaseEndMs = nowMs + between(this.random, awayMs);
    const far = pose.gazeReach * (leastGlance + (1 - leastGlance) * this.random());
    const side = this.random() < 0.5 ? -1 : 1;
    const up = this.random() * 1.3 - 0.8;
    this.#point = { x: pose.gazeX + side * far, y: pose.gazeY + up * far * 0.6 };
    this.#jump(nowMs, this.#point, calm ? calmMs : saccadeMs);
  }

  #nearPoint(nowMs: number): Look {
    this.#microMs = nowMs + between(this.random, microEveryMs);
    // A smaller jump would not be seen.
    const around = (): number => (this.random() < 0.5 ? -1 : 1) * between(this.random, [0.6, 1]);
    return { x: this.#point.x + microReach.x * around(), y: this.#point.y + microReach.y * around() };
  }

  #jump(nowMs: number, to: Look, durationMs: number): void {
    this.#from = this.#look(nowMs, durationMs);
    this.#to = to;
    this.#startMs = nowMs;
    if (to === this.#point) this.#microMs = nowMs + between(this.random, microEveryMs);
  }

  #look(nowMs: number, durationMs: number): Look {
    const t = smooth(0, durationMs, nowMs - this.#startMs);
    return {
      x: this.#from.x + (this.#to.x - this.#from.x) * t,
      y: this.#from.y + (this.#to.y - this.#from.y) * t,
    };
  }
}
