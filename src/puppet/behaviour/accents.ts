import { smooth } from "../math.ts";
import { loudnessBetween } from "./loudness.ts";
import { createRandom, type Random } from "./random.ts";
import type { Loudness, SpeechTimeline, TimedAccent, TimedWord } from "./speech-timeline.ts";

/** How the head marks a stressed word. */
type Beat = "nod" | "tilt" | "turn";

/** A stressed word: the brows go up with it and the head moves. */
interface Accent {
  readonly startMs: number;
  readonly endMs: number;
  readonly strength: number;
  readonly beat: Beat;
  /** −1 or 1. */
  readonly side: number;
  readonly browRaise: number;
}

/** What stress adds to the face now. */
export interface Stress {
  readonly browRaise: number;
  readonly headTurn: number;
  readonly headTilt: number;
  readonly headNod: number;
}

/** The shortest time between two stressed words. With less, the head would nod all the time. */
const leastApartMs = 650;

const nodMs = 460;
const browLeadMs = 90;
const browFallMs = 260;

/** How far the strongest beat moves the head, and the brows. */
const reach: Readonly<Record<Beat, number>> = { nod: 0.3, tilt: 0.2, turn: 0.16 };
const browReach = 0.5;

/** Weaker stress moves the brows only sometimes. */
const browShare = 0.6;

/** Beats of the head and raised brows on the longer and louder words, which carry the meaning in most languages. */
export class Accents {
  #accents: Accent[] = [];

  constructor(private readonly random: Random) {}

  /**
   * Marks the stressed words of an utterance that begins at `startMs`. Earlier accents from then on are dropped; those of the same
   * utterance, of which more is known now, stay as they are.
   */
  speak({ words, loudness, accents }: SpeechTimeline, startMs: number): void {
    const before = this.#accents;
    this.#accents = before.filter((accent) => accent.startMs < startMs);
    for (const { start, end, strength } of accents ?? chooseAccents(words, this.random, loudness))
      this.#accents.push(
        before.find((accent) => accent.startMs === startMs + start) ?? {
          startMs: startMs + start,
          endMs: startMs + end,
          strength,
          beat: this.#chooseBeat(),
          side: this.random() < 0.5 ? -1 : 1,
          browRaise: this.random() < browShare || strength > 0.9 ? browReach * strength : 0.1 * strength,
        },
      );
  }

  /** Drops the accents that have not begun by `nowMs`. */
  stop(nowMs: number): void {
    this.#accents = this.#accents.filter((accent) => accent.startMs <= nowMs);
  }

  /** The stress at this moment. */
  at(nowMs: number): Stress {
    this.#accents = this.#accents.filter((accent) => accent.endMs + nodMs > nowMs);
    const stress = { browRaise: 0, headTurn: 0, headTilt: 0, headNod: 0 };
    for (const accent of this.#accents) {
      const { startMs, endMs, strength, beat, side } = accent;
      const brow =
        smooth(startMs - browLeadMs, startMs + 60, nowMs) * (1 - smooth(endMs, endMs + browFallMs, nowMs));
      stress.browRaise = Math.max(stress.browRaise, accent.browRaise * brow);
      const move =
        reach[beat] *
        strength *
        smooth(startMs - 60, startMs + 130, nowMs) *
        (1 - smooth(startMs + 130, startMs + nodMs, nowMs));
      if (beat === "nod") stress.headNod = Math.max(stress.headNod, move);
      else stress[beat === "tilt" ? "headTilt" : "headTurn"] += side * move;
    }
    return stress;
  }

  #chooseBeat(): Beat {
    const chance = this.random();
    if (chance < 0.6) return "nod";
    return chance < 0.82 ? "tilt" : "turn";
  }
}

/** Chooses which words of an utterance are stressed. An equal `random` gives the same choice. */
export function chooseAccents(
  words: readonly TimedWord[],
  random: Random = createRandom(words.length),
  loudness?: Loudness,
): TimedAccent[] {
  const accents: TimedAccent[] = [];
  let last = -Infinity;
  words.forEach((word, i) => {
    const weight = wordWeight(word) * (0.55 + 0.65 * loudnessBetween(loudness, word.start, word.end));
    const chosen = i === 0 || random() < weight;
    if (!chosen || word.start - last < leastApartMs) return;
    last = word.start;
    accents.push({ start: word.start, end: word.end, strength: 0.4 + 0.6 * Math.min(1, weight) });
  });
  return accents;
}

/** The probability that a word is stressed, 0…1, from its number of letters and its duration. */
function wordWeight({ text, start, end }: TimedWord): number {
  const letters = text.match(/\p{L}|\p{N}/gu)?.length ?? 0;
  // A Hangul syllable is written as one letter.
  const syllables = text.match(/\p{Script=Hangul}/gu)?.length ?? 0;
  return Math.max(smooth(3, 8, letters + syllables), smooth(260, 560, end - start));
}
