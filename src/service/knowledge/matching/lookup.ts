import type { Concepts } from "../words/concepts.ts";
import type { FactKind } from "../words/facts.ts";

/** The ids of units by a name that they have. */
type Places = ReadonlyMap<string, readonly number[]>;

/** What is needed to be found. */
interface FoundUnit {
  readonly id: number;
  readonly text: string;
  readonly stems: ReadonlySet<string>;
  readonly headingStems: ReadonlySet<string>;
  readonly askedStems: ReadonlySet<string>;
  readonly concepts: Concepts;
  readonly facts: ReadonlySet<FactKind>;
}

/** A text is looked for by so many of its first characters. */
const beginningCharacters = 8;

/** Where things are among thousands of units and words, so that a question costs what it finds and not what there is. */
export interface Lookup {
  /** The units that have a stem in their text, headings or questions. */
  readonly stems: Places;
  /** The units whose text expresses a concept. */
  readonly concepts: Places;
  /** The stems of the units and the words of their texts that begin with a letter. */
  readonly stemsBy: ReadonlyMap<string, readonly string[]>;
  readonly wordsBy: ReadonlyMap<string, readonly string[]>;
  /** The ids of the units that are quoted in a text. */
  quotedIn(text: string): Set<number>;
  /** How many units state a fact of one of some kinds. */
  stating(kinds: ReadonlySet<FactKind>): number;
}

function add<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

function byFirstLetter(words: Iterable<string>): Map<string, string[]> {
  const lists = new Map<string, string[]>();
  for (const word of words) add(lists, word[0] ?? "", word);
  return lists;
}

/** Collects where things are while units are indexed. */
export class LookupBuilder {
  readonly #stems = new Map<string, number[]>();
  readonly #concepts = new Map<string, number[]>();
  /** How many units state facts of the same kinds. */
  readonly #facts = new Map<string, { kinds: ReadonlySet<FactKind>; units: number }>();
  readonly #beginnings = new Map<string, { id: number; text: string }[]>();

  add({ id, text, stems, headingStems, askedStems, concepts, facts }: FoundUnit): void {
    for (const stem of new Set([...stems, ...headingStems, ...askedStems])) add(this.#stems, stem, id);
    for (const name of concepts.keys()) add(this.#concepts, name, id);
    const key = [...facts].join();
    this.#facts.set(key, { kinds: facts, units: (this.#facts.get(key)?.units ?? 0) + 1 });
    add(this.#beginnings, text.slice(0, beginningCharacters), { id, text });
  }

  /** `words`: those of the units' texts as written. */
  finish(words: Iterable<string>): Lookup {
    const facts = [...this.#facts.values()];
    const beginnings = this.#beginnings;
    const short = [...beginnings.keys()].filter((beginning) => beginning.length < beginningCharacters);
    return {
      stems: this.#stems,
      concepts: this.#concepts,
      stemsBy: byFirstLetter(this.#stems.keys()),
      wordsBy: byFirstLetter(words),
      stating: (kinds) =>
        facts
          .filter((stated) => [...kinds].some((kind) => stated.kinds.has(kind)))
          .reduce((sum, { units }) => sum + units, 0),
      quotedIn(text) {
        const found = new Set(short.filter((beginning) => text.includes(beginning)));
        for (let at = 0; at + beginningCharacters <= text.length; at += 1)
          found.add(text.slice(at, at + beginningCharacters));
        const quoted = [...found].flatMap((beginning) => beginnings.get(beginning) ?? []);
        return new Set(quoted.filter((unit) => text.includes(unit.text)).map(({ id }) => id));
      },
    };
  }
}
