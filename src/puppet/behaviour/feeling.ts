import { clamp, smooth } from "../math.ts";
import { Glide } from "./glide.ts";
import { spokenSentences, type SpokenSentence } from "./mood-lexicon.ts";
import { moodFaces, type Mood, type MoodFace } from "./mood.ts";
import type { TimedWord } from "./speech-timeline.ts";

/** A face changes a little before the words, and keeps the mood for a moment after them. */
const leadMs = 250;
const lingerMs = 900;

/** How long the face takes for most of the way into another mood. */
const glideMs = 380;

/** The brows go up in the last part of a question, and stay up for the answer. */
const questionTailMs = 550;
const questionHoldMs = 900;
const questionBrow = 0.4;

/** A mood that was set lasts at least this long, and until a moment after the speech. */
const leastSetMs = 15_000;
const afterSpeechMs = 4000;

/** The mood of the face: from the words that are spoken, or as it was set for the answer. */
export class Feeling {
  #sentences: SpokenSentence[] = [];
  #set: { mood: Mood; untilMs: number } | undefined;
  readonly #smile = new Glide(glideMs);
  readonly #concern = new Glide(glideMs);
  readonly #browRaise = new Glide(glideMs);
  readonly #browConcern = new Glide(glideMs);
  readonly #headTilt = new Glide(glideMs);
  readonly #headNod = new Glide(glideMs);

  /** Reads the moods of an utterance that begins at `startMs`. */
  speak(words: readonly TimedWord[], startMs: number): void {
    this.stop(startMs);
    for (const { start, end, ...rest } of spokenSentences(words))
      this.#sentences.push({ ...rest, start: startMs + start, end: startMs + end });
  }

  /** Drops the sentences that have not begun by `nowMs`. */
  stop(nowMs: number): void {
    this.#sentences = this.#sentences.filter(({ start }) => start < nowMs);
  }

  /** Sets the mood for the current or next answer. It then counts in place of the words; with `neutral` the words count again. */
  setMood(mood: Mood, nowMs: number): void {
    this.#set = mood === "neutral" ? undefined : { mood, untilMs: nowMs + leastSetMs };
  }

  /** What mood and questions add to the face after `elapsedMs`. */
  step(nowMs: number, elapsedMs: number, isSpeaking: boolean): MoodFace {
    this.#sentences = this.#sentences.filter(({ end }) => nowMs < end + lingerMs + questionHoldMs);
    const target = moodFaces[this.#mood(nowMs, isSpeaking)];
    return {
      smile: this.#smile.step(target.smile, elapsedMs),
      concern: clamp(this.#concern.step(target.concern, elapsedMs)),
      browRaise: this.#browRaise.step(target.browRaise, elapsedMs) + this.#asking(nowMs),
      browConcern: clamp(this.#browConcern.step(target.browConcern, elapsedMs)),
      headTilt: this.#headTilt.step(target.headTilt, elapsedMs),
      headNod: this.#headNod.step(target.headNod, elapsedMs),
    };
  }

  #mood(nowMs: number, isSpeaking: boolean): Mood {
    if (this.#set) {
      if (isSpeaking) this.#set.untilMs = Math.max(this.#set.untilMs, nowMs + afterSpeechMs);
      if (nowMs < this.#set.untilMs) return this.#set.mood;
      this.#set = undefined;
    }
    const current = this.#sentences.findLast(
      ({ start, end }) => nowMs >= start - leadMs && nowMs < end + lingerMs,
    );
    return current?.mood ?? "neutral";
  }

  #asking(nowMs: number): number {
    let raise = 0;
    for (const { start, end, isQuestion } of this.#sentences) {
      if (!isQuestion) continue;
      const from = Math.max(start, end - questionTailMs);
      const rise = smooth(from, from + 280, nowMs);
      raise = Math.max(raise, rise * (1 - smooth(end + questionHoldMs - 400, end + questionHoldMs, nowMs)));
    }
    return questionBrow * raise;
  }
}
