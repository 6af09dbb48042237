import type { Viseme } from "../viseme.ts";
import { loudnessBetween, unknownLoudness } from "./loudness.ts";
import type { Loudness, TimedViseme } from "./speech-timeline.ts";
import type { MovingCharacter } from "../format/character.ts";
import { smooth } from "../math.ts";

/** One mouth shape in time. It fades in from `fadeInMs` to `startMs`, and fades out while its successor fades in. */
interface Gesture {
  readonly viseme: Viseme;
  readonly fadeInMs: number;
  /** When the shape is fully reached. */
  readonly startMs: number;
  readonly endMs: number;
  readonly strength: number;
  /** The rounded vowel that follows a consonant and already shows in it. */
  readonly rounding: Viseme | undefined;
}

/** The contact of both lips (PP), or of lip and teeth (FF), must be visible: it lasts at least this long, one frame at 25 fps. */
const leastTouchMs = 50;

/** The mouth starts to move towards a shape at most this long before the shape is due. */
const anticipationMs = 80;

/** The mouth reaches a shape at most this long after the shape is due. */
const arrivalMs = 35;

const shortestRestMs = 30;

/** How distinct each shape is in fluent speech. */
const strengths: Readonly<Record<Viseme, number>> = {
  sil: 0,
  PP: 1,
  FF: 1,
  TH: 0.85,
  DD: 0.75,
  kk: 0.7,
  CH: 0.9,
  SS: 0.85,
  nn: 0.75,
  RR: 0.8,
  aa: 0.9,
  E: 0.85,
  ih: 0.8,
  oh: 0.95,
  ou: 0.95,
};

/** How much the opening of a vowel depends on its loudness. */
const loudnessRange = 0.64;

const vowels: ReadonlySet<Viseme> = new Set(["aa", "E", "ih", "oh", "ou"]);

/** Whether lips or teeth touch in this shape. Speech without that contact looks wrong. */
function touches(viseme: Viseme): boolean {
  return viseme === "PP" || viseme === "FF";
}

/**
 * Turns the visemes of an utterance that begins at `startMs` into gestures that blend into each other. Vowels open farther where
 * the speech is louder.
 */
function mouthGestures(visemes: readonly TimedViseme[], startMs: number, loudness?: Loudness): Gesture[] {
  const spans = continuous(visemes);
  const gestures: Gesture[] = [];
  spans.forEach((span, i) => {
    const before = spans[i - 1];
    const next = spans[i + 1];
    const { fadeIn, start } = arrival(span, before);
    gestures.push({
      viseme: span.viseme,
      fadeInMs: startMs + fadeIn,
      startMs: startMs + start,
      endMs: startMs + span.end,
      strength: strength(span, loudness),
      rounding: next && rounds(next.viseme) && isLoose(span.viseme) ? next.viseme : undefined,
    });
  });
  return gestures;
}

/** When a shape begins to show and when it is fully reached. A contact is reached on time and not left early. */
function arrival(span: TimedViseme, before: TimedViseme | undefined): { fadeIn: number; start: number } {
  const ownMs = span.end - span.start;
  const beforeMs = before ? before.end - before.start : anticipationMs * 2;
  const early = before && touches(before.viseme) ? 0 : Math.min(anticipationMs, beforeMs / 2);
  const late = touches(span.viseme) && early > 0 ? 0 : Math.min(arrivalMs, ownMs * 0.4);
  return { fadeIn: span.start - early, start: span.start + late };
}

function strength({ viseme, start, end }: TimedViseme, loudness: Loudness | undefined): number {
  if (!vowels.has(viseme)) return strengths[viseme];
  // A vowel that is over quickly is not opened fully.
  const reached = Math.min(1, 0.5 + (end - start) / 200);
  const openness = 1 + loudnessRange * (loudnessBetween(loudness, start, end) - unknownLoudness);
  return Math.min(1, strengths[viseme] * reached * openness);
}

function rounds(viseme: Viseme): boolean {
  return viseme === "oh" || viseme === "ou";
}

function isLoose(viseme: Viseme): boolean {
  return viseme !== "sil" && !touches(viseme) && !vowels.has(viseme);
}

/** The visemes in order without gaps: pauses become rests, equal neighbours are joined, contacts are long enough, a rest ends them. */
function continuous(visemes: readonly TimedViseme[]): TimedViseme[] {
  const spans: { viseme: Viseme; start: number; end: number }[] = [];
  for (const given of [...visemes].sort((a, b) => a.start - b.start)) {
    const last = spans.at(-1);
    const start = Math.max(given.start, last?.end ?? -Infinity);
    const end = Math.max(given.end, start + (touches(given.viseme) ? leastTouchMs : 0));
    if (end <= start) continue;
    if (last && start - last.end > shortestRestMs) spans.push({ viseme: "sil", start: last.end, end: start });
    const neighbour = spans.at(-1);
    if (neighbour && neighbour.viseme === given.viseme) neighbour.end = end;
    else {
      if (neighbour) neighbour.end = start;
      spans.push({ viseme: given.viseme, start, end });
    }
  }
  const last = spans.at(-1);
  if (last && last.viseme !== "sil")
    spans.push({ viseme: "sil", start: last.end, end: last.end + anticipationMs * 2 });
  return spans;
}

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
