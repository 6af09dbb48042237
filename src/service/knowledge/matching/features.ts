import type { FactKind } from "../words/facts.ts";
import type { Question } from "./question.ts";
import { cosine, type Vector } from "../meaning/vectors.ts";
import { rarity, type IndexedUnit, type UnitIndex } from "./unit-index.ts";

/** What speaks for a unit as the answer to a question. The order is that of the calibration's weights. */
export const featureNames = [
  "words",
  "wordsInText",
  "wordsInHeadings",
  "wordsInBlock",
  "meaning",
  "question",
  "concepts",
  "conceptsInText",
  "fact",
  "day",
  "parts",
  "before",
  "quotedBefore",
  "repeated",
  "introduces",
  "hours",
  "number",
  "heading",
  "sense",
  "senseAround",
] as const;
export type FeatureName = (typeof featureNames)[number];
export type Features = Readonly<Record<FeatureName, number>>;

/** "Returns" is "Returns and guarantee". */
const maxMoreWords = 2;

const hangul = /\p{Script=Hangul}/u;

/** A set of stems, or a map by them. */
type Stems = Pick<ReadonlyMap<string, unknown>, "has"> & { keys(): Iterable<string> };

/** How well a set of stems has a stem: entirely, as a beginning, or, in German, as a part of a compound. */
export function has(stems: Stems, stem: string, isGerman: boolean): number {
  if (stems.has(stem)) return 1;
  if (hangul.test(stem)) return koreanShare(stems, stem);
  if (stem.length < 4) return 0;
  for (const other of stems.keys()) {
    if (other.length < 4) continue;
    if (other.startsWith(stem) || stem.startsWith(other)) return 0.75;
    if (isGerman && (other.includes(stem) || stem.includes(other))) return 0.7;
  }
  return 0;
}

function koreanShare(stems: Stems, stem: string): number {
  if (stem.length < 2) return 0;
  for (const other of stems.keys()) {
    if (stem.length < 4 && (other.startsWith(stem) || (other.length >= 2 && stem.startsWith(other))))
      return 0.8;
    if (stem.length >= 4 && other.startsWith(stem.slice(0, 2))) return 0.6;
  }
  return 0;
}

/** The weighted share of some names that are there, 0 to 1. */
function share(
  names: ReadonlyMap<string, number>,
  rare: (name: string) => number,
  there: (name: string) => number,
) {
  let total = 0;
  let found = 0;
  for (const [name, weight] of names) {
    const counts = rare(name) * weight;
    total += counts;
    found += counts * there(name);
  }
  return total === 0 ? 0 : found / total;
}

function factFit(wants: ReadonlySet<FactKind>, unit: IndexedUnit): number {
  if (wants.size === 0) return 0;
  const stated = [...wants].some(
    (kind) => unit.facts.has(kind) || (kind === "time" && unit.kind === "hours" && unit.days.size > 0),
  );
  return stated ? 1 : -0.5;
}

function dayFit(days: ReadonlySet<number>, unit: IndexedUnit): number {
  if (days.size === 0 || unit.days.size === 0) return 0;
  // What holds on other days is no answer, however much it sounds like one.
  const common = [...days].filter((day) => unit.days.has(day)).length;
  if (common === 0) return -2;
  return ((unit.kind === "hours" ? 1.5 : 1) * common) / days.size;
}

/** How much a question in the text and the visitor's have in common, of what both have. */
function questionFit(
  { stems, tokens }: Question,
  wording: Question["tokens"],
  rare: (stem: string) => number,
): number {
  const asked = new Set(wording.filter(({ isSmall }) => !isSmall).map(({ stem }) => stem));
  const words = (list: Question["tokens"]) => list.map(({ word }) => word).join(" ");
  if (asked.size === 0 || stems.size === 0) return words(wording) === words(tokens) ? 1 : 0;
  let common = 0;
  let all = 0;
  for (const stem of new Set([...asked, ...stems.keys()])) {
    all += rare(stem);
    if (asked.has(stem) && stems.has(stem)) common += rare(stem);
  }
  return common / all;
}

/** How much a unit has of what was spoken of before, by words and by concepts where there were both. */
function beforeFit(
  { stems, concepts }: NonNullable<Question["before"]>,
  byWords: number,
  byConcepts: number,
): number {
  if (concepts.size === 0) return byWords;
  return stems.size === 0 ? byConcepts : (byWords + byConcepts) / 2;
}

function quotedFit(quoted: ReadonlySet<number>, unit: IndexedUnit, { units }: UnitIndex): number {
  let fit = 0;
  for (const id of quoted) {
    const other = units[id];
    if (other?.document !== unit.document) continue;
    if (other.block === unit.block) return 1;
    if (other.headings.at(-1) === unit.headings.at(-1)) fit = 0.6;
  }
  return fit;
}

/** Whether a unit was just said, and may be said again: what names no price does not answer how much something is. */
const isRepeated = ({ before, wants }: Question, { id, facts }: IndexedUnit): boolean =>
  before?.quoted.has(id) === true && (!wants.has("money") || facts.has("money"));

const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Whether the question is nothing but a heading, or a part of one, or a row's name: somebody chose it. */
function headingFit({ text, tokens }: Question, unit: IndexedUnit): number {
  const asked = wordsIn(text).join(" ");
  const heading = wordsIn(unit.headings.at(-1) ?? "");
  if (asked === heading.join(" ") || asked === wordsIn(unit.row ?? "").join(" ")) return asked === "" ? 0 : 1;
  const isPart = tokens.every(({ word, isSmall }) => !isSmall && heading.includes(word));
  return isPart && tokens.length > 0 && heading.length <= tokens.length + maxMoreWords ? 1 : 0;
}

/** How much units mean what a question means. */
interface Senses {
  readonly text: readonly number[];
  readonly around: readonly number[];
}

function sensesOf(vector: Vector | null, units: readonly IndexedUnit[]): Senses {
  if (!vector) return { text: [], around: [] };
  return {
    text: units.map(({ vectors }) => (vectors ? cosine(vector, vectors.text) : 0)),
    around: units.map(({ vectors }) =>
      Math.max(0, ...(vectors?.around ?? []).map((other) => cosine(vector, other))),
    ),
  };
}

/** Brings values of a few deviations into the range of the other features. */
const shownDeviations = 4;

/** How far values lie above the mean of all: any two texts of a trade mean something alike. */
function aboveMean(values: readonly number[]): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  const deviation = Math.sqrt(variance) || 1;
  return values.map((value) => (value - mean) / deviation / shownDeviations);
}

/** Computes each value once. */
function once(compute: (name: string) => number): (name: string) => number {
  const known = new Map<string, number>();
  return (name) => {
    const value = known.get(name) ?? compute(name);
    known.set(name, value);
    return value;
  };
}

/** Compares a question with units. */
export function compare(question: Question, index: UnitIndex, units: readonly IndexedUnit[]): Features[] {
  const rare = once((stem) => rarity(index.units.length, index.frequency.get(stem)));
  const rareConcept = once((name) => rarity(index.units.length, index.conceptFrequency.get(name)));
  const isGerman = index.language === "de";
  const { stems, concepts, meanings, parts, before } = question;
  const senses = sensesOf(question.vector, units);
  const [sense, senseAround] = [senses.text, senses.around].map(aboveMean);
  return units.map((unit, at) => {
    const inText = once((stem) => has(unit.stems, stem, isGerman));
    const inHeadings = once((stem) => has(unit.headingStems, stem, isGerman));
    const anywhere = once((stem) =>
      Math.max(inText(stem), 0.85 * inHeadings(stem), 0.95 * has(unit.askedStems, stem, isGerman)),
    );
    const ofConcept = (name: string) =>
      Math.max(unit.concepts.get(name) ?? 0, 0.9 * (unit.headingConcepts.get(name) ?? 0));
    const byMeaning = (stem: string) =>
      Math.max(0, ...[...(meanings.get(stem) ?? [])].map(([name, weight]) => weight * ofConcept(name)));
    const common = [...parts].filter((part) => unit.parts.has(part)).length;
    return {
      words: share(stems, rare, anywhere),
      wordsInText: share(stems, rare, inText),
      wordsInHeadings: share(stems, rare, inHeadings),
      wordsInBlock: share(stems, rare, (stem) =>
        Math.max(anywhere(stem), has(unit.blockStems, stem, isGerman)),
      ),
      meaning: share(stems, rare, (stem) => Math.max(anywhere(stem), 0.85 * byMeaning(stem))),
      question: Math.max(0, ...unit.asked.map((wording) => questionFit(question, wording, rare))),
      concepts: share(concepts, rareConcept, ofConcept),
      conceptsInText: share(concepts, rareConcept, (name) => unit.concepts.get(name) ?? 0),
      fact: factFit(question.wants, unit),
      day: dayFit(question.days, unit),
      parts: parts.size === 0 ? 0 : common / parts.size,
      before: before
        ? beforeFit(
            before,
            share(before.stems, rare, anywhere),
            share(before.concepts, rareConcept, ofConcept),
          )
        : 0,
      quotedBefore: before ? quotedFit(before.quoted, unit, index) : 0,
      repeated: isRepeated(question, unit) ? 1 : 0,
      introduces: unit.introduces ? 1 : 0,
      hours: unit.kind === "hours" && question.wants.has("time") ? 1 : 0,
      number: question.asksHowMany && unit.facts.has("number") ? 1 : 0,
      heading: headingFit(question, unit),
      sense: sense?.[at] ?? 0,
      senseAround: senseAround?.[at] ?? 0,
    };
  });
}
