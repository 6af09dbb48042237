import type { Question } from "../matching/question.ts";
import type { RankedUnit } from "../matching/ranking.ts";
import { blockOf, type IndexedUnit, type UnitIndex } from "../matching/unit-index.ts";

/** What is quoted to a question: texts in the order they are said, and the units that they are from. */
interface Quote {
  readonly texts: readonly string[];
  readonly units: readonly IndexedUnit[];
}

/** Nobody listens to more. A list that was asked for may be longer. */
const maxCharacters = { sentences: 300, question: 380, list: 400, all: 420 };
const listMaxItems = 8;

/** How far below the best a further unit may be, as a share of the best's score, and how many there may be. */
const further = { share: 0.86, count: 2, considered: 6, maxCharacters: 260 };

/** A sentence that follows one as its continuation. */
const continues =
  /^(?:it|they|this|these|that|those|but|however|except|otherwise|then|also|he|she|in that case|for this|afterwards|please|only|sie|es|das|dies|diese|danach|dafür|sonst|nur|außerdem|ausnahme|aber|dann|bitte|ella|él|esto|pero|salvo|también|después|solo|il|elle|ils|cela|mais|sauf|ensuite|aussi|seulement|sinon|questo|però|ma|poi|anche|mas|isso|depois|também)(?!\p{L})|^(?:그|단|다만|또)/iu;

const textOf = (units: readonly IndexedUnit[]): string => units.map(({ text }) => text).join(" ");
const isSameSection = (one: IndexedUnit, other: IndexedUnit): boolean =>
  one.document === other.document && one.headings.join("\n") === other.headings.join("\n");

const alikeInBlock = (unit: IndexedUnit, { units }: UnitIndex): IndexedUnit[] =>
  blockOf(unit, units).filter(({ kind }) => kind === unit.kind);

/** A list with the line that introduces it. */
function listFrom(unit: IndexedUnit, { units }: UnitIndex): IndexedUnit[] {
  const items: IndexedUnit[] = [];
  for (const other of units.slice(unit.id + 1, unit.id + 1 + listMaxItems)) {
    if (other.document !== unit.document || other.kind !== "item") break;
    items.push(other);
  }
  return [unit, ...items];
}

/** The units around one of a block, as many as fit. */
function grown(block: readonly IndexedUnit[], at: number, max: number): IndexedUnit[] {
  let [from, to] = [0, block.length];
  while (to - from > 1 && textOf(block.slice(from, to)).length > max)
    if (to - 1 > at) to -= 1;
    else from += 1;
  return block.slice(from, to);
}

/** A sentence with those that belong to it: the one that it continues, and the one that continues it. */
function sentencesAround(
  unit: IndexedUnit,
  index: UnitIndex,
  scoreOf: (unit: IndexedUnit) => number,
): IndexedUnit[] {
  const block = alikeInBlock(unit, index);
  const at = block.findIndex(({ id }) => id === unit.id);
  if (unit.question !== null) return grown(block, at, maxCharacters.question);
  const from = at > 0 && continues.test(unit.text) ? at - 1 : at;
  const next = block[at + 1];
  const isPart = next && (continues.test(next.text) || scoreOf(next) > scoreOf(unit) * 0.6);
  const withNext = block.slice(from, at + 2);
  return isPart && textOf(withNext).length <= maxCharacters.sentences ? withNext : block.slice(from, at + 1);
}

/** Somebody chose a heading: what stands below it, above all what fits to what was asked before. */
function sectionOf(best: RankedUnit, ranked: readonly RankedUnit[], question: Question): IndexedUnit[] {
  const below = ranked.filter(({ unit }) => isSameSection(unit, best.unit));
  // "Opening hours" are a part of "Showroom and opening hours".
  const fitting = below.filter(({ features }) => features.fact > 0);
  const section = (fitting.length > 0 ? fitting : below).map(({ unit }) => unit);
  const chosen: IndexedUnit[] = [];
  for (const unit of question.before ? section : section.toSorted((one, other) => one.id - other.id)) {
    if (chosen.length > 0 && textOf([...chosen, unit]).length > maxCharacters.list) break;
    chosen.push(unit);
  }
  return chosen.sort((one, other) => one.id - other.id);
}

/** What is said of a section, as much as fits: the best of it, in the order of the text. */
export function composeSection(ranked: readonly RankedUnit[]): IndexedUnit[] {
  const [best] = ranked;
  const chosen: IndexedUnit[] = [];
  for (const { unit } of ranked) {
    const isNear = unit.document === best?.unit.document;
    if (isNear && textOf([...chosen, unit]).length <= maxCharacters.list) chosen.push(unit);
    else if (isNear) break;
  }
  return chosen.sort((one, other) => one.id - other.id);
}

/** What is said of a unit: itself, or what it only makes sense with. */
function quoteOf(
  unit: IndexedUnit,
  question: Question,
  index: UnitIndex,
  scoreOf: (unit: IndexedUnit) => number,
): Quote {
  const block = () => alikeInBlock(unit, index);
  if (unit.whole !== undefined && !(unit.kind === "hours" && question.days.size === 1))
    return { texts: [unit.whole], units: block() };
  if (unit.introduces) {
    const units = listFrom(unit, index);
    const text = units
      .map((one, at) => (at === 0 ? `${one.text}:` : one.text.replace(/[.,;]$/, "")))
      .join(" ");
    return { texts: [text.slice(0, maxCharacters.list)], units };
  }
  const units = unit.kind === "sentence" ? sentencesAround(unit, index, scoreOf) : [unit];
  return { texts: units.map(({ text }) => text), units };
}

/** What is quoted of the units that answer a question best; the first of them must be there. */
export function composeAnswer(question: Question, ranked: readonly RankedUnit[], index: UnitIndex): Quote {
  const [best] = ranked;
  if (!best) return { texts: [], units: [] };
  if (best.features.heading === 1 && best.unit.row === undefined) {
    const units = sectionOf(best, ranked, question);
    return { texts: units.map(({ text }) => text), units };
  }
  const scores = new Map(ranked.map(({ unit, score }) => [unit.id, score]));
  const scoreOf = ({ id }: IndexedUnit): number => scores.get(id) ?? 0;
  const first = quoteOf(best.unit, question, index, scoreOf);
  const texts = [...first.texts];
  const units = [...first.units];
  let added = 0;
  for (const { unit, score } of ranked.slice(1, further.considered)) {
    if (added === further.count || score < best.score * further.share) break;
    if (units.some(({ id }) => id === unit.id)) continue;
    const more = quoteOf(unit, question, index, scoreOf);
    const length = [...texts, ...more.texts].join(" ").length;
    if (more.texts.join(" ").length > further.maxCharacters || length > maxCharacters.all) continue;
    texts.push(...more.texts);
    units.push(...more.units);
    added += 1;
  }
  return { texts: [...new Set(texts)], units };
}

const contactCharacters = 250;
const maxTexts = 3;

/** How much a unit looks like the owner's own contact data: a block of lines, below a heading that says so, with an address. */
function points(unit: IndexedUnit): number {
  const isBlock = unit.kind === "line" || unit.whole !== undefined;
  const isHeaded = unit.headingConcepts.has("contact") || unit.headingConcepts.has("place");
  // Phones of others stand in sentences about something else.
  const isRow = unit.kind === "row" || unit.question !== null;
  return (
    (isBlock ? 2 : 0) +
    (isHeaded ? 2 : 0) +
    (/@/.test(unit.text) ? 1 : 0) +
    (unit.concepts.has("contact") ? 1 : 0) -
    (isRow ? 2 : 0)
  );
}

const known = new WeakMap<UnitIndex, string[]>();

/** The ways to reach the owner that the texts give: phone numbers, addresses and what stands with them. */
export function contactTexts(index: UnitIndex): string[] {
  const texts = known.get(index) ?? findContactTexts(index);
  known.set(index, texts);
  return texts;
}

function findContactTexts({ units }: UnitIndex): string[] {
  const ways = units
    .filter(({ facts }) => facts.has("contact"))
    .map((unit) => ({ unit, points: points(unit) }))
    .sort((one, other) => other.points - one.points || one.unit.id - other.unit.id);
  const [best] = ways;
  if (!best) return [];
  const said = ways
    .filter((way) => way.points >= best.points - 1 && way.unit.document === best.unit.document)
    .map(({ unit }) =>
      unit.whole !== undefined && unit.whole.length <= contactCharacters ? unit.whole : unit.text,
    );
  return [...new Set(said)].slice(0, maxTexts);
}
