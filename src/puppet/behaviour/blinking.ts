import { smooth } from "../math.ts";
import type { Random } from "./random.ts";

const closingMs = 70;
const closedMs = 30;
const openingMs = 140;
const blinkMs = closingMs + closedMs + openingMs;

/** A pause of this length after which a lost rhythm starts anew instead of being caught up (a hidden page). */
const lostMs = 1000;

/** Blinks at irregular times, now and then twice in a row. */
export class Blinking {
  #startMs: number | undefined;

  constructor(private readonly random: Random) {}

  /** How far the lids are closed, 0…1. `rare` spaces the blinks out. */
  at(nowMs: number, rare: boolean): number {
    this.#startMs ??= nowMs + this.#pauseMs(rare);
    if (nowMs >= this.#startMs + blinkMs) {
      const from = nowMs - this.#startMs > lostMs ? nowMs : this.#startMs + blinkMs;
      this.#startMs = from + this.#pauseMs(rare);
    }
    const t = nowMs - this.#startMs;
    if (t <= 0 || t >= blinkMs) return 0;
    return smooth(0, closingMs, t) * (1 - smooth(closingMs + closedMs, blinkMs, t));
  }

  #pauseMs(rare: boolean): number {
    const pause = this.random();
    if (rare) return 8000 + 5000 * pause;
    return this.random() < 0.12 ? 120 : 2200 + 3800 * pause;
  }
}
