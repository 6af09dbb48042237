import MiniSearch from "minisearch";
import type { Passage } from "./passages.ts";
import { textPassages } from "./passages.ts";
import type { Question } from "./question.ts";
import { isPair, textTerms } from "./terms.ts";

/** A passage found for a question. `coverage`: the share of what was asked for that it names, 0 to 1. */
export interface FoundPassage extends Passage {
  index: number;
  score: number;
  coverage: number;
}

/** Finds the passages of one text that answer a question, best first. */
export interface PassageIndex {
  find(question: Question): FoundPassage[];
}

interface IndexedPassage {
  id: number;
  text: string;
  heading: string;
}

/** How much a match counts, by where the term comes from. */
const weights = { asked: 1, related: 0.45, expected: 0.5, before: 0.25, relation: 0.25 };

/** Of near equals the earlier one in its section wins: texts put the rule before its exceptions. */
const laterPenalty = 0.03;

/** How much less an unknown pair of characters tells than an unknown word. */
const unknownPairShare = 0.2;

/** A question without a word of its own ("how much is it?") is answered by a passage that holds this many terms. */
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
  const { heading } = passages[index]!;
  let first = index;
  while (passages[first - 1]?.heading === heading) first -= 1;
  return index - first;
}

/** Builds the index of a text. Costs milliseconds, so it is kept. */
export function indexPassages(text: string): PassageIndex {
  const passages = textPassages(text);
  const search = new MiniSearch<IndexedPassage>({
    fields: ["text", "heading"],
    tokenize: textTerms,
    processTerm: (term) => term,
    searchOptions: { boost: { heading: 0.4 } },
  });
  search.addAll(passages.map((passage, id) => ({ id, ...passage })));
  const frequency = new Map<string, number>();
  for (const { text: sentence, heading } of passages)
    for (const term of new Set(textTerms(`${heading}\n${sentence}`)))
      frequency.set(term, (frequency.get(term) ?? 0) + 1);
  /** How telling a term is: rare ones more, and words that the text does not know at all most. */
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
        .map(({ id, score, queryTerms }) => {
          const index = id as number;
          const covered = coverage(question, new Set(queryTerms));
          const early = 1 - laterPenalty * Math.min(5, placeInSection(passages, index));
          return {
            ...passages[index]!,
            index,
            coverage: covered,
            // MiniSearch multiplies by the number of terms matched; coverage says the same, and says it better.
            score: (score / queryTerms.length) * (0.2 + covered) * early,
          };
        })
        .sort((one, other) => other.score - one.score);
    },
  };
}
