import type { FoundPassage } from "../../passages/passage-index.ts";

/** Passages below this coverage are not quoted. Up to `answeringCoverage` they are announced as possibly helpful. */
const relatedCoverage = 0.36;
export const answeringCoverage = 0.5;

/** A further sentence is quoted when it is nearly as good as the best. */
const nearlyAsGood = 0.62;
const maxSentences = 3;
const maxCharacters = 320;

const perhapsRelated = "I don't have an exact answer to that, but this may help.";

/** What is said to a question, and the passages that are quoted in it. */
export interface QuotedAnswer {
  sentences: string[];
  quoted: readonly FoundPassage[];
}

function chosenOf(found: readonly FoundPassage[]): FoundPassage[] {
  const best = found[0];
  if (!best) return [];
  const chosen: FoundPassage[] = [];
  let length = 0;
  for (const passage of found) {
    const { text, score } = passage;
    if (chosen.some((other) => other.text === text)) continue;
    const fits = chosen.length === 0 || length + text.length <= maxCharacters;
    if (chosen.length === maxSentences || score < best.score * nearlyAsGood || !fits) break;
    chosen.push(passage);
    length += text.length;
  }
  return chosen;
}

/** From this share of its terms on, a question is the one that a heading asks. */
const askedByHeading = 0.8;

/** How much of the answer below a heading that asks the question is quoted. */
const answerMaxSentences = 6;
const answerMaxCharacters = 700;

/** The answer to a heading that asks the same question, as in lists of frequent questions: from its beginning, in order. */
function answerBelow(found: readonly FoundPassage[]): FoundPassage[] | null {
  const asked = found.find(
    ({ heading, headingCoverage }) => heading.includes("?") && headingCoverage >= askedByHeading,
  );
  if (!asked) return null;
  const below = found
    .filter((passage) => passage.heading === asked.heading && passage.document === asked.document)
    .toSorted((one, other) => one.index - other.index);
  let length = 0;
  return below.slice(0, answerMaxSentences).filter(({ text }, place) => {
    length += text.length;
    return place === 0 || length <= answerMaxCharacters;
  });
}

/** The passages in the order of their text, where they are neighbours of one section: there, one sentence follows from another. */
function inReadingOrder(chosen: readonly FoundPassage[]): FoundPassage[] {
  const inOrder = chosen.toSorted((one, other) => one.index - other.index);
  const [first] = inOrder;
  const isOneRun = inOrder.every(
    ({ index, heading }, place) =>
      heading !== "" && heading === first?.heading && index === first.index + place,
  );
  return isOneRun ? inOrder : [...chosen];
}

/** The answer that quotes what was found, best first; null where nothing fits. */
export function quotedAnswer(found: readonly FoundPassage[]): QuotedAnswer | null {
  const coverage = found[0]?.coverage ?? 0;
  if (coverage < relatedCoverage) return null;
  if (coverage < answeringCoverage) {
    const quoted = chosenOf(found).slice(0, 1);
    return { sentences: [perhapsRelated, ...quoted.map(({ text }) => text)], quoted };
  }
  const quoted = answerBelow(found) ?? inReadingOrder(chosenOf(found));
  return { sentences: quoted.map(({ text }) => text), quoted };
}
