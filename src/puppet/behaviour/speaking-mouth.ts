import type { MovingCharacter } from "../format/character.ts";
import { smooth } from "../math.ts";
import type { Viseme } from "../viseme.ts";
import type { Gesture } from "./mouth-gestures.ts";
import { mouthGestures } from "./mouth-gestures.ts";
import type { Loudness, TimedViseme } from "./speech-timeline.ts";

/** How far the mouth may open in speech, in units of jaw drop: more looks like shouting. */
const widestJawUnits = 14.4;

/** How much of a rounded vowel shows in the consonant before it. */
const roundingShare = 0.3;

/** How fast the mouth comes to rest when speech is stopped. */
const stopMs = 90;

/** The mouth in speech: the mix of mouth shapes at any moment of an utterance. */
export class SpeakingMouth {
  #gestures: Gesture[] = [];
  #stoppedMs = Infinity;
  #limits: ReadonlyMap<string, number>;

  constructor(character: MovingCharacter) {
    this.#limits = limitsOf(character);
  }

  /** Goes on with the mouth of another character. */
  changeCharacter(character: MovingCharacter): void {
    this.#limits = limitsOf(character);
  }

  /** Speaks these visemes from `startMs` on. They replace everything that was planned from then on. */
  speak(visemes: readonly TimedViseme[], startMs: number, loudness?: Loudness): void {
    const added = mouthGestures(visemes, startMs, loudness);
    const kept =
      this.#stoppedMs < startMs ? [] : this.#gestures.filter((gesture) => gesture.startMs < startMs);
    this.#gestures = [...kept, ...added];
    this.#stoppedMs = Infinity;
  }

  /** Comes to rest from `nowMs` on. */
  stop(nowMs: number): void {
    this.#stoppedMs = Math.min(this.#stoppedMs, nowMs);
  }

  /** Whether the mouth is speaking; this includes the rest at the end. */
  isSpeaking(nowMs: number): boolean {
    const first = this.#gestures[0];
    const last = this.#gestures.at(-1);
    return (
      first !== undefined &&
      last !== undefined &&
      nowMs < this.#stoppedMs &&
      nowMs >= first.fadeInMs &&
      nowMs < last.endMs
    );
  }

  /** The weights of the mouth shapes now; they sum to at most 1. */
  at(nowMs: number): Partial<Record<Viseme, number>> {
    this.#forget(nowMs);
    const weights: Partial<Record<Viseme, number>> = {};
    const fade = 1 - smooth(0, stopMs, nowMs - this.#stoppedMs);
    if (fade === 0) return weights;
    let open = fade;
    // From the latest gesture back: each takes its share of the weight that the later ones have left.
    for (let i = this.#gestures.length - 1; i >= 0 && open > 0; i--) {
      const gesture = this.#gestures[i]!;
      if (gesture.fadeInMs > nowMs) continue;
      const share = open * smooth(gesture.fadeInMs, gesture.startMs, nowMs);
      this.#add(weights, gesture, share);
      open -= share;
    }
    return weights;
  }

  #add(weights: Partial<Record<Viseme, number>>, gesture: Gesture, share: number): void {
    const { viseme, rounding, strength } = gesture;
    if (viseme === "sil" || share === 0) return;
    const rounded = rounding ? roundingShare : 0;
    const limit = this.#limits.get(viseme) ?? 1;
    weights[viseme] = (weights[viseme] ?? 0) + share * (1 - rounded) * Math.min(strength, limit);
    if (rounding) weights[rounding] = (weights[rounding] ?? 0) + share * rounded;
  }

  /** Drops finished gestures. The current one stays, because the mouth still fades from it. */
  #forget(nowMs: number): void {
    const current = this.#gestures.findLastIndex((gesture) => gesture.startMs <= nowMs);
    if (current > 16) this.#gestures = this.#gestures.slice(current);
  }
}

/** How much of each mouth shape may show. */
function limitsOf({ mouth }: MovingCharacter): ReadonlyMap<string, number> {
  return new Map(
    [...mouth.keys].map(([name, key]) => [
      name,
      Math.min(1, widestJawUnits / Math.max(1, key.jaw + mouth.restJaw)),
    ]),
  );
}
