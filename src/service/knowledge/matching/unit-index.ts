import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import { readUnits } from "../reading/read-units.ts";
import type { ReadableDocument, Unit } from "../reading/unit.ts";
import { type Concepts, conceptsOf, stated } from "../words/concepts.ts";
import { type FactKind, factKinds, namesAddress, says } from "../words/facts.ts";
import { partsOf, type TextLanguage, type Token, tokensOf } from "../words/tokens.ts";
import { textLanguage } from "../words/text-language.ts";
import { daysIn } from "../words/weekdays.ts";
import type { EncodeSentences, Vector } from "../meaning/vectors.ts";
import { type Lookup, LookupBuilder } from "./lookup.ts";
import { LRUCache } from "lru-cache";

/** A unit with what a question is compared with. */
export interface IndexedUnit extends Unit {
  /** Its place among all units. */
  readonly id: number;
  readonly stems: ReadonlySet<string>;
  /** Of the headings above it. */
  readonly headingStems: ReadonlySet<string>;
  /** The words of each wording of its question. */
  readonly asked: readonly (readonly Token[])[];
  readonly askedStems: ReadonlySet<string>;
  readonly concepts: Concepts;
  /** Of its headings and its question. */
  readonly headingConcepts: Concepts;
  readonly parts: ReadonlySet<string>;
  readonly facts: ReadonlySet<FactKind>;
  readonly days: ReadonlySet<number>;
  /** The stems of all units of its block, which belong to the same thing. */
  blockStems: ReadonlySet<string>;
  /** What it means; null where no encoder knows the language. */
  readonly vectors: UnitVectors | null;
}

interface UnitVectors {
  readonly text: Vector;
  /** Of its text below its headings, of its question, and of other wordings of that. */
  readonly around: readonly Vector[];
}

/** The units of a unit's block, in order: they follow one another. */
export function blockOf(of: IndexedUnit, units: readonly IndexedUnit[]): IndexedUnit[] {
  const isOther = (unit: IndexedUnit | undefined) =>
    unit?.document !== of.document || unit.block !== of.block;
  let from = of.id;
  while (!isOther(units[from - 1])) from -= 1;
  let to = of.id;
  while (!isOther(units[to])) to += 1;
  return units.slice(from, to);
}

/** The units of some documents, and how telling their words are. */
export interface UnitIndex {
  readonly language: TextLanguage;
  readonly units: readonly IndexedUnit[];
  /** How many units have a stem. */
  readonly frequency: ReadonlyMap<string, number>;
  readonly conceptFrequency: ReadonlyMap<string, number>;
  /** The words of the texts as written: what misspelled ones are compared with. */
  readonly words: ReadonlySet<string>;
  readonly lookup: Lookup;
  /** Encodes questions as the units are; null where no encoder knows the language. */
  readonly encode: EncodeSentences | null;
}

/** How much of the units is indexed at once: some 20 sentences. In between, other requests get their turn. */
const charactersAtOnce = 2_000;

const stemsOf = (tokens: readonly Token[]): Set<string> => new Set(tokens.map(({ stem }) => stem));

/** What a unit speaks of. An address is where somebody is, though it says none of the words for it. */
function statedConcepts(text: string, language: TextLanguage, tokens: readonly Token[]): Concepts {
  const concepts = conceptsOf(text, language, stated(tokens));
  return namesAddress(text) ? new Map([...concepts, ["place", 1]]) : concepts;
}

function indexedUnit(
  unit: Unit,
  id: number,
  language: TextLanguage,
  vectors: UnitVectors | null,
): IndexedUnit {
  const above = unit.headings.join("\n");
  const tokens = tokensOf(unit.text, language);
  const headingTokens = tokensOf(above, language);
  const questions = unit.question === null ? [] : [unit.question, ...unit.wordings];
  const asked = questions.map((question) => tokensOf(question, language));
  const around = [...headingTokens, ...asked.flat()];
  const stems = stemsOf(tokens);
  return {
    ...unit,
    id,
    stems,
    headingStems: stemsOf(headingTokens),
    asked,
    askedStems: stemsOf(asked.flat()),
    concepts: statedConcepts(unit.text, language, tokens),
    headingConcepts: conceptsOf([above, ...questions].join("\n"), language, around),
    parts: partsOf([...tokens, ...around]),
    facts: new Set(factKinds.filter((kind) => says(kind, unit.text))),
    days: daysIn(unit.text, { short: unit.kind === "hours" || unit.kind === "row" }),
    blockStems: stems,
    vectors,
  };
}

function shareBlocks(units: readonly IndexedUnit[]): void {
  const blocks = new Map<string, Set<string>>();
  for (const unit of units) {
    const key = `${unit.document}.${unit.block}`;
    const stems = blocks.get(key) ?? new Set<string>();
    for (const stem of unit.stems) stems.add(stem);
    blocks.set(key, stems);
    // Rows and items of a list are each of something else.
    if (unit.kind === "sentence" || unit.kind === "line") unit.blockStems = stems;
  }
}

function count<Key>(counts: Map<Key, number>, keys: Iterable<Key>): void {
  for (const key of new Set(keys)) counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** How many of the headings above a unit belong to what it means. */
const meantHeadings = 2;
/** Of more units, nobody waits for the vectors. */
const encodedUnits = 1_200;
/** Of fewer sentences, none stands out by what it means; words decide. */
const fewestEncoded = 8;

const englishDays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** What the encoder reads of a unit: it knows sentences, and takes "Sat 10-18" for anything. */
function asSentence({ kind, text }: Unit): string {
  const days = kind === "hours" ? [...daysIn(text, { short: true })].sort() : [];
  if (days.length === 0 || !says("time", text)) return text;
  return `We are open on ${days.map((day) => englishDays[day]).join(", ")}: ${text}`;
}

/** What units mean, by themselves and where they stand. */
async function vectorsOf(units: readonly Unit[], encode: EncodeSentences): Promise<(UnitVectors | null)[]> {
  const texts = units.map((unit) => {
    const { headings, question, wordings } = unit;
    const text = asSentence(unit);
    const above = headings.filter((heading) => heading !== question).slice(-meantHeadings);
    return [text, [...above, text].join(". "), ...(question === null ? [] : [question, ...wordings])];
  });
  const vectors = await encode(texts.flat());
  let at = 0;
  return texts.map(({ length }) => {
    const [text, ...around] = vectors.slice(at, (at += length));
    return text ? { text, around } : null;
  });
}

/**
 * Indexes documents, with what their sentences mean if an encoder is given. Large ones take a while; other requests are served in the
 * meantime.
 */
export async function indexUnits(
  documents: readonly ReadableDocument[],
  encoder?: EncodeSentences,
): Promise<UnitIndex> {
  const language = textLanguage(documents.map(({ text }) => text).join("\n"), "en");
  const read = await readUnits(documents);
  const isEncoded = language === "en" && read.length >= fewestEncoded && read.length <= encodedUnits;
  const encode = isEncoded && encoder ? encoder : null;
  const vectors = encode ? await vectorsOf(read, encode) : [];
  const units: IndexedUnit[] = [];
  const frequency = new Map<string, number>();
  const conceptFrequency = new Map<string, number>();
  let charactersSinceTurn = 0;
  const words = new Set<string>();
  const lookup = new LookupBuilder();
  const readHeadings = new Set<string>();
  for (const [id, unit] of read.entries()) {
    // Each unit is compared with its headings too, so none costs nothing.
    charactersSinceTurn += unit.text.length + 80;
    if (charactersSinceTurn > charactersAtOnce) {
      charactersSinceTurn = 0;
      await nextTurn();
    }
    const indexed = indexedUnit(unit, id, language, vectors[id] ?? null);
    units.push(indexed);
    lookup.add(indexed);
    const headings = unit.headings.filter((heading) => !readHeadings.has(heading));
    for (const heading of headings) readHeadings.add(heading);
    const tokens = [unit.text, ...headings].flatMap((text) => tokensOf(text, language));
    for (const { word, isSmall } of [...tokens, ...indexed.asked.flat()]) if (!isSmall) words.add(word);
    count(frequency, [...indexed.stems, ...indexed.headingStems, ...indexed.askedStems]);
    count(conceptFrequency, [...indexed.concepts.keys(), ...indexed.headingConcepts.keys()]);
  }
  shareBlocks(units);
  return { language, units, frequency, conceptFrequency, words, lookup: lookup.finish(words), encode };
}

/** How telling a word or concept is: rare ones more, and those that the texts do not have most. */
export function rarity(units: number, frequency: number | undefined): number {
  return Math.log(1 + (units + 0.5) / ((frequency ?? 0) + 0.5));
}

/** How many sets of documents stay indexed; the least recently used one is dropped first. */
const keptIndexes = 64;
/** How many characters of documents stay indexed: an index takes some ten times its text. */
const keptCharacters = 4_000_000;

/** Finds or builds the index of documents, and keeps it for the next question. */
export type UnitIndexes = (documents: readonly ReadableDocument[]) => Promise<UnitIndex>;

/** More characters than an encoder reads in a few seconds are not indexed twice. */
const fewCharacters = 200_000;

/**
 * Keeps the indexes of the documents that were asked about last. A question waits `patienceMs` for what the encoder makes of new
 * documents; until that is there, it is answered by their words alone.
 */
export function keepUnitIndexes(encode?: EncodeSentences, patienceMs = Infinity): UnitIndexes {
  const indexes = new LRUCache<string, Promise<UnitIndex>, readonly ReadableDocument[]>({
    max: keptIndexes,
    maxSize: keptCharacters,
    sizeCalculation: (_index, key) => Math.min(keptCharacters, key.length + 1),
    memoMethod: (_key, _stale, { context }) => indexUnits(context, encode),
  });
  /** Of documents that the encoder still reads, made for the first question that could not wait. */
  const byWords = new Map<string, Promise<UnitIndex>>();
  const withPatience = async (
    key: string,
    index: Promise<UnitIndex>,
    documents: readonly ReadableDocument[],
  ) => {
    const soon = new AbortController();
    const late = delay(patienceMs, null, { signal: soon.signal, ref: false }).catch(() => null);
    const found = await Promise.race([index, late]);
    soon.abort();
    if (found) return found;
    const quick = byWords.get(key) ?? indexUnits(documents);
    if (!byWords.has(key)) {
      byWords.set(key, quick);
      void Promise.allSettled([index, quick]).then(() => byWords.delete(key));
    }
    return Promise.race([index, quick]);
  };
  return (documents) => {
    const key = documents.map(({ title, text }) => `${title}\n${text}`).join("\u0000");
    const index = indexes.memo(key, { context: documents });
    // What failed is tried again with the next question.
    index.catch(() => {
      if (indexes.peek(key) === index) indexes.delete(key);
    });
    if (!encode || patienceMs === Infinity || key.length > fewCharacters) return index;
    return withPatience(key, index, documents);
  };
}
