import type { TimedWord } from "./speech-timeline.ts";
import { clamp, smooth } from "../math.ts";
import { Glide } from "./random.ts";

/** A mood that colours the whole face while an answer is spoken. */
export const moods = ["neutral", "happy", "concerned", "serious", "curious"] as const;
export type Mood = (typeof moods)[number];

/** What a mood adds to the face; values as in `PuppetParams`. */
export interface MoodFace {
  readonly smile: number;
  readonly concern: number;
  readonly browRaise: number;
  readonly browConcern: number;
  readonly headTilt: number;
  readonly headNod: number;
}

const unmoved: MoodFace = { smile: 0, concern: 0, browRaise: 0, browConcern: 0, headTilt: 0, headNod: 0 };

/** The face of each mood, as an addition to the pose of the activity. */
const moodFaces: Readonly<Record<Mood, MoodFace>> = {
  neutral: unmoved,
  happy: { ...unmoved, smile: 0.42, browRaise: 0.16, headTilt: 0.06 },
  concerned: {
    smile: -0.3,
    concern: 0.42,
    browRaise: 0.06,
    browConcern: 0.75,
    headTilt: 0.14,
    headNod: 0.07,
  },
  serious: { ...unmoved, smile: -0.13, browConcern: 0.22, headNod: 0.03 },
  curious: { ...unmoved, browRaise: 0.3, headTilt: 0.16, headNod: -0.04 },
};

/** A sentence of an utterance and what its words say about the face; times in ms from the utterance's beginning. */
interface SpokenSentence {
  readonly start: number;
  readonly end: number;
  readonly mood: Mood;
  readonly isQuestion: boolean;
}

/** Bad news has priority: "Hello, I am sorry to say …" is not a happy sentence. */
const signs: readonly (readonly [Mood, RegExp])[] = [
  ["happy", /\b(?:no (?:problem|worries)|not? (?:a )?bad|don['’]t worry)\b/],
  [
    "concerned",
    /\b(?:sorry|apologi[sz]e|apologies|unfortunately|regret(?:tably)?|sadly|condolences|bad news|(?:sold|out) out|out of stock|no longer|not (?:available|possible)|unavailable|cancell?ed|failed|failure|(?:went|gone) wrong|broken|lost|died|passed away|emergency|delayed|declined|refused|we can(?:no|['’])t|i can(?:no|['’])t)\b/,
  ],
  [
    "concerned",
    /죄송|유감|안타깝|미안|불행히|불가능|취소되|취소됐|실패|품절|매진|고장|지연|어렵습니다|없어졌|사망|별세|거절/,
  ],
  [
    "happy",
    /\b(?:hello|hi|hey|welcome|good (?:morning|afternoon|evening)|nice to meet|pleased to|glad|happy|great|wonderful|fantastic|excellent|perfect|congratulations|congrats|thank you|thanks|you['’]re welcome|enjoy|delighted|good news|well done|awesome|lovely|cheers|goodbye|bye|see you)\b/,
  ],
  [
    "happy",
    /안녕|반갑|반가워|환영|감사|고맙|고마워|축하|좋은 소식|기쁩|기뻐|훌륭|멋지|완벽|즐거운|즐겁|다행/,
  ],
  ["serious", /\b(?:warning|caution|important|danger(?:ous)?|must not|never|legal|security)\b/],
  ["serious", /주의|경고|위험|중요|반드시|절대/],
];

/** The mood of a sentence, from its words. */
export function moodOf(sentence: string): Mood {
  const text = sentence.toLowerCase();
  return signs.find(([, sign]) => sign.test(text))?.[0] ?? "neutral";
}

const questionMark = /[?？]["'”’)\]]*\s*$/;
const questionStart =
  /^(?:(?:and|so|but|well|ok(?:ay)?|um+|uh+|hi|hello)[,\s]+)*(?:who|whom|whose|what|when|where|why|which|how|can|could|do|does|did|is|are|was|were|will|would|should|may|have|has)\b/i;
const koreanQuestion =
  /(?:까요?|나요|가요|니|냐|ㄴ가|은가|는지요|죠|지요|어때요?|뭐(?:예요|야|죠)?|무엇|얼마(?:예요|인가요|야)?|어디(?:예요|야)?|언제(?:예요|야)?)[\s.!?]*$/;

/** Whether a sentence asks something. Recognizers often return no question mark, so the words decide, too. */
export function isQuestion(sentence: string): boolean {
  const text = sentence.trim();
  return questionMark.test(text) || questionStart.test(text) || koreanQuestion.test(text);
}

const sentenceEnd = /[.!?…。！？]["'”’)\]]*$/;

/** The sentences of an utterance, by the marks at the ends of its words. */
export function spokenSentences(words: readonly TimedWord[]): SpokenSentence[] {
  const sentences: SpokenSentence[] = [];
  let begun: TimedWord[] = [];
  const close = (): void => {
    const [first, last] = [begun[0], begun.at(-1)];
    if (!first || !last) return;
    const text = begun.map((word) => word.text).join(" ");
    // The written answer has question marks. Judged by words alone, "What a pity." would count as a question.
    sentences.push({
      start: first.start,
      end: last.end,
      mood: moodOf(text),
      isQuestion: questionMark.test(text),
    });
    begun = [];
  };
  for (const word of words) {
    begun.push(word);
    if (sentenceEnd.test(word.text)) close();
  }
  close();
  return sentences;
}

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
