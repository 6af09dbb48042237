import MiniSearch from "minisearch";
import type { KnownTexts, Passage } from "./passages.ts";
import { textPassages } from "./passages.ts";
import type { Question } from "./question.ts";
import { isPair, textTerms } from "./terms.ts";

/** A passage found for a question. */
export interface FoundPassage extends Passage {
  index: number;
  score: number;
  /** The share of the question's terms that it contains with its heading, 0 to 1. */
  coverage: number;
  /** The share that its heading contains. */
  headingCoverage: number;
}

/** Finds the passages that answer a question, best first. */
export interface PassageIndex {
  find(question: Question): FoundPassage[];
}

interface IndexedPassage {
  id: number;
  text: string;
  heading: string;
}

/** The weight of a match, by the origin of the term. */
const weights = { asked: 1, related: 0.45, expected: 0.5, before: 0.25, relation: 0.25 };

/** Among near equals, the earlier passage of a section wins, because texts state the rule before its exceptions. */
const laterPenalty = 0.03;

/** The weight of an unknown pair of characters, relative to an unknown word. */
const unknownPairShare = 0.2;

/** A question without specific words ("how much is it?") is answered by a passage that contains this many expected terms. */
const enoughExpected = 2;

function termWeights({ terms, expected, before, relations }: Question): Map<string, number> {
  const byTerm = new Map<string, number>();
  const add = (term: string, weight: number) => byTerm.set(term, Math.max(weight, byTerm.get(term) ?? 0));
  for (const term of relations) add(term, weights.relation);
  for (const term of before) add(term, weights.before);
  for (const term of expected) add(term, weights.expected);
  for (const { term, related } of terms) {
    add(term, weights.asked);
    for (const other of related) add(other, weights.related);
  }
  return byTerm;
}

function placeInSection(passages: readonly Passage[], index: number): number {
  const one = passages[index];
  const isSameSection = (other: Passage | undefined): boolean =>
    other !== undefined && other.heading === one?.heading && other.document === one.document;
  let first = index;
  while (first > 0 && isSameSection(passages[first - 1])) first -= 1;
  return index - first;
}

/** In how many passages each term occurs. */
function termFrequencies(passages: readonly Passage[]): ReadonlyMap<string, number> {
  const frequency = new Map<string, number>();
  for (const { text, heading } of passages)
    for (const term of new Set(textTerms(`${heading}\n${text}`)))
      frequency.set(term, (frequency.get(term) ?? 0) + 1);
  return frequency;
}

/** Builds the index of texts. This takes milliseconds, so callers keep the index. */
export function indexPassages(known: KnownTexts): PassageIndex {
  const passages = textPassages(known);
  const search = new MiniSearch<IndexedPassage>({
    fields: ["text", "heading"],
    tokenize: textTerms,
    processTerm: (term) => term,
    searchOptions: { boost: { heading: 0.4 } },
  });
  search.addAll(passages.map(({ text, heading }, id) => ({ id, text, heading })));
  const frequency = termFrequencies(passages);
  /** How specific a term is: rare terms more, and words that the text does not contain most. */
  function rarity(term: string): number {
    const known = frequency.get(term) ?? 0;
    const telling = Math.log(1 + (passages.length + 0.5) / (known + 0.5));
    return known === 0 && isPair(term) ? telling * unknownPairShare : telling;
  }

  function coverage({ terms, expected, before }: Question, matched: ReadonlySet<string>): number {
    if (terms.length === 0)
      return [...expected, ...before].filter((term) => matched.has(term)).length >= enoughExpected ? 1 : 0;
    let total = 0;
    let covered = 0;
    for (const { term, related } of terms) {
      const share = rarity(term);
      total += share;
      if (matched.has(term)) covered += share;
      else if (related.some((other) => matched.has(other))) covered += share * 0.8;
    }
    return covered / total;
  }

  return {
    find(question) {
      const byTerm = termWeights(question);
      const asked = new Set(question.terms.map(({ term }) => term));
      const results = search.search([...byTerm.keys()].join(" "), {
        tokenize: (query) => query.split(" "),
        processTerm: (term) => term,
        boostTerm: (term) => byTerm.get(term) ?? 0,
        fuzzy: (term) => (asked.has(term) && term.length > 4 ? 0.2 : false),
        prefix: (term) => asked.has(term) && term.length > 3,
      });
      return results
        .flatMap(({ id, score, queryTerms }) => {
          const index = Number(id);
          const passage = passages[index];
          if (!passage) return [];
          const covered = coverage(question, new Set(queryTerms));
          const inHeading = new Set(textTerms(passage.heading));
          const early = 1 - laterPenalty * Math.min(5, placeInSection(passages, index));
          return {
            ...passage,
            index,
            coverage: covered,
            headingCoverage: coverage(question, inHeading),
            // MiniSearch multiplies by the number of matched terms. Coverage expresses the same more precisely.
            score: (score / queryTerms.length) * (0.2 + covered) * early,
          };
        })
        .sort((one, other) => other.score - one.score);
    },
  };
}
