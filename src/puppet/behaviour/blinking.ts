import { smooth } from "../math.ts";
import { between, type Random } from "./random.ts";

const closingMs = 70;
const closedMs = 30;
const openingMs = 140;
const blinkMs = closingMs + closedMs + openingMs;

/** After a gap longer than this (a hidden page), the rhythm starts again; missed blinks are not made up for. */
const lostMs = 1000;

/** People blink in pauses of speech, unless they have just blinked. */
const pauseShare = 0.65;
const leastApartMs = 1500;

/** How often a second blink follows at once, and after how long. */
const doubleShare = 0.12;
const doubleMs = 120;

/** Blinks at irregular times, sometimes twice in a row, and in pauses of speech rather than in words. */
export class Blinking {
  #startMs: number | undefined;
  #lastEndMs = -Infinity;
  #pauses: number[] = [];

  constructor(private readonly random: Random) {}

  /** Speech pauses at this time. */
  addPause(atMs: number): void {
    this.#pauses.push(atMs);
  }

  /** Drops the pauses that have not begun. */
  forgetPauses(): void {
    this.#pauses = [];
  }

  /** How far the lids are closed, 0…1. `rare` spaces the blinks out. */
  at(nowMs: number, rare: boolean): number {
    this.#startMs ??= nowMs + this.#pauseMs(rare);
    if (this.#takePause(nowMs) && !rare && this.#startMs > nowMs && this.random() < pauseShare)
      this.#startMs = nowMs;
    if (nowMs >= this.#startMs + blinkMs) {
      this.#lastEndMs = this.#startMs + blinkMs;
      const from = nowMs - this.#startMs > lostMs ? nowMs : this.#lastEndMs;
      this.#startMs = from + this.#pauseMs(rare);
    }
    const t = nowMs - this.#startMs;
    if (t <= 0 || t >= blinkMs) return 0;
    return smooth(0, closingMs, t) * (1 - smooth(closingMs + closedMs, blinkMs, t));
  }

  /** Whether a pause has begun in which a blink may follow. */
  #takePause(nowMs: number): boolean {
    const due = this.#pauses.some((atMs) => atMs <= nowMs);
    if (due) this.#pauses = this.#pauses.filter((atMs) => atMs > nowMs);
    return due && nowMs - this.#lastEndMs >= leastApartMs;
  }

  #pauseMs(rare: boolean): number {
    if (rare) return between(this.random, [8000, 13_000]);
    const pause = between(this.random, [2000, 6000]);
    return this.random() < doubleShare ? doubleMs : pause;
  }
}
