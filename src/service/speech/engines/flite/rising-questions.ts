import type { SpokenToken } from "./spoken-text.ts";

/** How much the voice rises on the last word of a question, and on the word before it. */
const lastRise = 1.22;
const earlierRise = 1.08;

/** A question that begins with one of these words falls at its end, so it rises less. */
const openQuestion = /^(?:who|whom|whose|what|when|where|why|which|how)\b/i;
const openRise = 1.08;

const questionEnd = /\?["')\]]*$/;
const sentenceEnd = /[.!?]["')\]]*$/;

/** Whether a question is among these words. */
export function holdsQuestion(tokens: readonly SpokenToken[]): boolean {
  return tokens.some(({ spoken }) => questionEnd.test(spoken));
}

/** The words as SSML in which the voice rises at the ends of questions. */
export function risingQuestions(tokens: readonly SpokenToken[]): string {
  const words = tokens.map(({ spoken }) => spoken).filter((spoken) => spoken !== "");
  const rises = risesOf(words);
  const marked = words.map((word, i) => {
    // Spoken words have no angle brackets.
    const text = word.replaceAll("&", " and ");
    const rise = rises[i] ?? 1;
    return rise === 1 ? text : `<prosody pitch="${rise}">${text}</prosody>`;
  });
  return `<speak>${marked.join(" ")}</speak>`;
}

/** How much the voice rises on each word. */
function risesOf(words: readonly string[]): number[] {
  const rises = words.map(() => 1);
  let first = 0;
  words.forEach((word, i) => {
    if (!sentenceEnd.test(word)) return;
    if (questionEnd.test(word)) {
      const isOpen = openQuestion.test(words[first] ?? "");
      rises[i] = isOpen ? openRise : lastRise;
      if (!isOpen && i - 1 > first) rises[i - 1] = earlierRise;
    }
    first = i + 1;
  });
  return rises;
}
