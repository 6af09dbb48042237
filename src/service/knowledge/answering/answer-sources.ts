import { type AnswerSource, sourcesMax } from "../../../protocol/answers/answer-source.ts";
import { blockOf, type IndexedUnit, type UnitIndex } from "../matching/unit-index.ts";
import type { ReadableDocument } from "../reading/unit.ts";

const passageMaxCharacters = 600;
const quotesMax = 50;
/** So many characters of a unit tell which page it is from. */
const tellingCharacters = 40;

/** The address and the title of the page of a website that a unit is from; null: it is from no page that is known. */
function pageOf(
  { headings, text: quote }: IndexedUnit,
  { text, pages = [] }: ReadableDocument,
): { url: string; title: string } | null {
  const heading = `# ${headings[1] ?? ""}\n`;
  let start = 0;
  let best = { url: "", title: "", signs: 0 };
  for (const { url, characters } of pages) {
    const part = text.slice(start, start + characters);
    start += characters === 0 ? 0 : characters + "\n\n".length;
    // A row of a table is said in other words than it is written.
    const signs =
      (part.includes(quote.slice(0, tellingCharacters)) ? 2 : 0) + (part.includes(heading) ? 1 : 0);
    if (signs > best.signs) best = { url, title: /^# (.+)/.exec(part)?.[1] ?? url, signs };
  }
  const { url, title } = best;
  return url === "" ? null : { url, title };
}

/** What is shown of a document: the quoted units, and the rest of their block where it is short. */
function passageAround(units: readonly IndexedUnit[], index: UnitIndex): string {
  const whole = new Set(units.flatMap((unit) => blockOf(unit, index.units)));
  const textOf = (of: Iterable<IndexedUnit>) => [...of].map(({ text }) => text).join(" ");
  const block = textOf([...whole].sort((one, other) => one.id - other.id));
  return block.length <= passageMaxCharacters ? block : textOf(units).slice(0, passageMaxCharacters);
}

/**
 * The pages and documents that quoted units are from, in the order of the answer, at most three. Answers that were taught are the
 * owner's own words, and have no source.
 */
export function answerSources(
  quoted: readonly IndexedUnit[],
  index: UnitIndex,
  documents: readonly ReadableDocument[],
): AnswerSource[] {
  const groups = new Map<string, { title: string; url?: string; units: IndexedUnit[] }>();
  for (const unit of quoted) {
    const read = documents[unit.document];
    if (!read || read.isTaught) continue;
    const source = pageOf(unit, read) ?? { title: read.title };
    const key = JSON.stringify([unit.document, source]);
    const group = groups.get(key) ?? { ...source, units: [] };
    group.units.push(unit);
    groups.set(key, group);
  }
  return [...groups.values()].slice(0, sourcesMax).map(({ units, ...source }) => ({
    ...source,
    passage: passageAround(units, index),
    quotes: [...new Set(units.map(({ text }) => text))].slice(0, quotesMax),
  }));
}
