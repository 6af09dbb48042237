import { cosine } from "../meaning/vectors.ts";
import { has } from "./features.ts";
import type { Question } from "./question.ts";
import type { RankedUnit } from "./ranking.ts";
import { rarity, type UnitIndex } from "./unit-index.ts";

/** What speaks for the best unit being an answer at all. The order is that of the calibration's weights. */
export const signNames = [
  "score",
  "lead",
  "words",
  "wordsInText",
  "wordsInBlock",
  "meaning",
  "concepts",
  "question",
  "fact",
  "parts",
  "before",
  "quotedBefore",
  "day",
  "length",
  "otherLanguage",
  "unknownWords",
  "unknownMeanings",
  "rareFact",
  "unknownConcepts",
  "noConcepts",
  "leans",
  "wordsAndConcepts",
  "conceptsAndFact",
  "heading",
  "wordsOfTop",
  "sense",
  "senseAround",
  "cosine",
  "cosineAround",
  "betterSense",
  "probability",
] as const;
export type SignName = (typeof signNames)[number];
export type Signs = Readonly<Record<SignName, number>>;

const comparedForTop = 5;
const comparedForSense = 20;

function unknownShare(
  names: ReadonlyMap<string, number>,
  known: ReadonlyMap<string, number>,
  units: number,
): number {
  let total = 0;
  let unknown = 0;
  for (const [name, weight] of names) {
    const counts = rarity(units, known.get(name)) * weight;
    total += counts;
    if (!known.has(name)) unknown += counts;
  }
  return total === 0 ? 0 : unknown / total;
}

/** How much of each of the question's words the texts have, as they are or in another form. */
function knownWords({ stems }: Question, { frequency, language }: UnitIndex): Map<string, number> {
  return new Map([...stems.keys()].map((stem) => [stem, has(frequency, stem, language === "de")]));
}

/** The share of the question's words that the texts express neither themselves nor by a word of the same meaning. */
function unknownMeanings(
  { stems, meanings }: Question,
  { units, frequency, conceptFrequency }: UnitIndex,
  known: ReadonlyMap<string, number>,
): { words: number; meanings: number } {
  let total = 0;
  let words = 0;
  let unknown = 0;
  for (const [stem, weight] of stems) {
    const counts = rarity(units.length, frequency.get(stem)) * weight;
    const missing = counts * (1 - (known.get(stem) ?? 0));
    total += counts;
    words += missing;
    if (![...(meanings.get(stem)?.keys() ?? [])].some((name) => conceptFrequency.has(name)))
      unknown += missing;
  }
  return total === 0 ? { words: 0, meanings: 0 } : { words: words / total, meanings: unknown / total };
}

/** How probably the best unit's block comes first, of all units, as far as the weights know. */
function probabilityOf(ranked: readonly RankedUnit[]): number {
  const [best] = ranked;
  if (!best) return 0;
  let total = 0;
  let own = 0;
  for (const { score, unit } of ranked) {
    const power = Math.exp(score - best.score);
    total += power;
    if (unit.block === best.unit.block && unit.document === best.unit.document) own += power;
  }
  return own / total;
}

function sensesOf({ vector }: Question, ranked: readonly RankedUnit[]) {
  const [best] = ranked;
  const vectors = best?.unit.vectors;
  const { sense = 0, senseAround = 0 } = best?.features ?? {};
  const compared = ranked.slice(0, comparedForSense).map(({ features }) => features.senseAround);
  return {
    sense,
    senseAround,
    cosine: vector && vectors ? cosine(vector, vectors.text) : 0,
    cosineAround: vector && vectors ? Math.max(...vectors.around.map((other) => cosine(vector, other))) : 0,
    probability: probabilityOf(ranked),
    betterSense: Math.max(...compared) - senseAround,
  };
}

/** The signs that the best of some units answers the question; null where there are no units. */
export function readSigns(question: Question, ranked: readonly RankedUnit[], index: UnitIndex): Signs | null {
  const [best] = ranked;
  if (!best) return null;
  const { features, score, unit } = best;
  const isElsewhere = (other: RankedUnit) =>
    other.unit.block !== unit.block || other.unit.document !== unit.document;
  const next = ranked.find(isElsewhere);
  const top = ranked.slice(0, comparedForTop).map((one) => one.features.words);
  const unknown = unknownMeanings(question, index, knownWords(question, index));
  return {
    score,
    lead: score - (next?.score ?? 0),
    words: features.words,
    wordsInText: features.wordsInText,
    wordsInBlock: features.wordsInBlock,
    meaning: features.meaning,
    concepts: features.concepts,
    question: features.question,
    fact: features.fact,
    parts: features.parts,
    before: features.before,
    quotedBefore: features.quotedBefore,
    day: features.day > 0 ? 1 : 0,
    length: Math.min(1, question.stems.size / 5),
    otherLanguage: question.isInTextsLanguage ? 0 : 1,
    unknownWords: unknown.words,
    unknownMeanings: unknown.meanings,
    rareFact: features.fact > 0 ? 1 / Math.sqrt(Math.max(1, index.lookup.stating(question.wants))) : 0,
    unknownConcepts: unknownShare(question.concepts, index.conceptFrequency, index.units.length),
    noConcepts: question.concepts.size === 0 ? 1 : 0,
    leans: question.before ? 1 - Math.min(1, 2 * features.before) : 0,
    wordsAndConcepts: features.words * features.concepts,
    conceptsAndFact: features.concepts * Math.max(0, features.fact),
    heading: features.heading,
    wordsOfTop: top.reduce((sum, words) => sum + words, 0) / top.length,
    ...sensesOf(question, ranked),
  };
}

/** A logistic regression over the signs, each first brought to mean 0 and deviation 1. */
export interface Certainty {
  readonly bias: number;
  readonly signs: Readonly<Record<SignName, { mean: number; deviation: number; weight: number }>>;
}

/** How probably the best unit answers the question, 0 to 1. */
export function certaintyOf(signs: Signs, { bias, signs: by }: Certainty): number {
  let sum = bias;
  for (const name of signNames) {
    const { mean, deviation, weight } = by[name];
    if (deviation > 1e-6) sum += (weight * (signs[name] - mean)) / deviation;
  }
  return 1 / (1 + Math.exp(-sum));
}
