import { smooth } from "../math.ts";
import { createRandom, type Random } from "./random.ts";
import type { TimedWord } from "./speech-timeline.ts";

/** A stressed word: the brows go up with it and the head nods. */
interface Accent {
  readonly startMs: number;
  readonly endMs: number;
  readonly strength: number;
}

/** What stress adds to the face now. */
export interface Stress {
  readonly browRaise: number;
  readonly headNod: number;
}

/** Words stressed closer together than this would make a nodding toy. */
const leastApartMs = 650;

const nodMs = 420;
const browLeadMs = 90;
const browFallMs = 260;

/** Nods and raised brows on the longer words, which in most languages carry the sense and the stress. */
export class Accents {
  #accents: Accent[] = [];

  constructor(private readonly random: Random) {}

  /** Chooses the words to stress of an utterance begun at `startMs`, in place of any that were to come later. */
  speak(words: readonly TimedWord[], startMs: number): void {
    this.#accents = this.#accents.filter((accent) => accent.startMs < startMs);
    for (const { start, end, strength } of chooseAccents(words, this.random))
      this.#accents.push({ startMs: startMs + start, endMs: startMs + end, strength });
  }

  /** Takes back what has not begun by `nowMs`. */
  stop(nowMs: number): void {
    this.#accents = this.#accents.filter((accent) => accent.startMs <= nowMs);
  }

  /** The stress at this moment. */
  at(nowMs: number): Stress {
    this.#accents = this.#accents.filter((accent) => accent.endMs + nodMs > nowMs);
    let [browRaise, headNod] = [0, 0];
    for (const { startMs, endMs, strength } of this.#accents) {
      const brow =
        smooth(startMs - browLeadMs, startMs + 60, nowMs) * (1 - smooth(endMs, endMs + browFallMs, nowMs));
      browRaise = Math.max(browRaise, 0.42 * strength * brow);
      const nod =
        smooth(startMs - 40, startMs + 120, nowMs) * (1 - smooth(startMs + 120, startMs + nodMs, nowMs));
      headNod = Math.max(headNod, 0.16 * strength * nod);
    }
    return { browRaise, headNod };
  }
}

/** A stressed word of an utterance: times in ms from its beginning, strength 0.4…1. */
export interface TimedAccent {
  readonly start: number;
  readonly end: number;
  readonly strength: number;
}

/** The words of an utterance to stress. The same `random` chooses the same. */
export function chooseAccents(
  words: readonly TimedWord[],
  random: Random = createRandom(words.length),
): TimedAccent[] {
  const accents: TimedAccent[] = [];
  let last = -Infinity;
  words.forEach((word, i) => {
    const weight = wordWeight(word);
    const chosen = i === 0 || random() < weight;
    if (!chosen || word.start - last < leastApartMs) return;
    last = word.start;
    accents.push({ start: word.start, end: word.end, strength: 0.4 + 0.6 * weight });
  });
  return accents;
}

/** How likely a word is stressed, 0…1: by its letters and by the time it takes. */
function wordWeight({ text, start, end }: TimedWord): number {
  const letters = text.match(/\p{L}|\p{N}/gu)?.length ?? 0;
  return Math.max(smooth(3, 8, letters), smooth(260, 560, end - start));
}
