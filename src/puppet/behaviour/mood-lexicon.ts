import type { Mood } from "./mood.ts";
import type { TimedWord } from "./speech-timeline.ts";

/** A sentence of an utterance and what its words say about the face; times in ms from the utterance's beginning. */
export interface SpokenSentence {
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
