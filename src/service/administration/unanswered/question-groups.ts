import leven from "leven";
import { conceptsOf } from "../../knowledge/words/concepts.ts";
import { textLanguage } from "../../knowledge/words/text-language.ts";
import { tokensOf } from "../../knowledge/words/tokens.ts";

/** From this share of common terms on (Dice's coefficient), two questions mean the same. */
const sameMeaning = 0.7;

/** A question to group. */
interface Asked {
  contextUuid: string;
  text: string;
}

/**
 * Words that may be misspelled: no short ones, because different short words look alike, and no numbers, because each has its own
 * meaning.
 */
const canBeMisspelled = /^[^\d]{5,}$/;

/** A group is found by at most this many of its wordings. */
const maxMeanings = 20;

/** Terms by their first letters, so that a term is compared with few others. */
class Vocabulary {
  readonly #known = new Map<string, string>();
  readonly #byStart = new Map<string, string[]>();

  /** The term itself, or a known one that differs by one letter. */
  canonical(term: string): string {
    const known = this.#known.get(term);
    if (known !== undefined) return known;
    const start = term.slice(0, 2);
    const others = this.#byStart.get(start) ?? [];
    const near = canBeMisspelled.test(term)
      ? others.find((other) => Math.abs(other.length - term.length) <= 1 && leven(other, term) === 1)
      : undefined;
    const meant = near ?? term;
    this.#known.set(term, meant);
    if (near === undefined && canBeMisspelled.test(term)) this.#byStart.set(start, [...others, term]);
    return meant;
  }
}

/** What a question is about: one term for each group of words with the same meaning. */
function meaning(text: string, vocabulary: Vocabulary): ReadonlySet<string> {
  const language = textLanguage(text, "en");
  const terms = tokensOf(text, language)
    .filter(({ isSmall }) => !isSmall)
    .map((token) => {
      const [concept] = [...conceptsOf(token.word, language, [token])].filter(([, weight]) => weight === 1);
      return concept?.[0] ?? token.stem;
    });
  if (terms.length > 0) return new Set(terms.map((term) => vocabulary.canonical(term)));
  // A question of small words only ("What is it?") is the same as one with the same words.
  return new Set([
    text
      .normalize("NFKC")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim(),
  ]);
}

function similarity(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let common = 0;
  for (const term of one) if (other.has(term)) common += 1;
  return (2 * common) / (one.size + other.size);
}

interface Group<Question> {
  /** The meanings of its wordings. */
  meanings: ReadonlySet<string>[];
  questions: Question[];
}

/** The group whose meaning is closest; null if none means the same. */
function nearest<Question>(
  terms: ReadonlySet<string>,
  groups: ReadonlySet<Group<Question>>,
): Group<Question> | null {
  let best: Group<Question> | null = null;
  let bestShare = 0;
  for (const group of groups)
    for (const other of group.meanings) {
      const share = similarity(terms, other);
      if (share < sameMeaning || share <= bestShare) continue;
      best = group;
      bestShare = share;
    }
  return best;
}

/** Puts questions of the same context that mean the same into groups. Compares words; the order of questions decides ties. */
export function groupQuestions<Question extends Asked>(questions: readonly Question[]): Question[][] {
  const vocabulary = new Vocabulary();
  const groups: Group<Question>[] = [];
  /** The groups that a term occurs in, by context and term. */
  const byTerm = new Map<string, Set<Group<Question>>>();
  /** The groups of meanings that were met before. */
  const byMeaning = new Map<string, Group<Question>>();
  for (const question of questions) {
    const terms = meaning(question.text, vocabulary);
    const keys = [...terms].map((term) => `${question.contextUuid} ${term}`);
    const whole = keys.toSorted().join("\n");
    const known =
      byMeaning.get(whole) ?? nearest(terms, new Set(keys.flatMap((key) => [...(byTerm.get(key) ?? [])])));
    const group = known ?? { meanings: [], questions: [] };
    if (known === null) groups.push(group);
    group.questions.push(question);
    if (!byMeaning.has(whole) && group.meanings.length < maxMeanings) {
      group.meanings.push(terms);
      for (const key of keys) byTerm.set(key, (byTerm.get(key) ?? new Set()).add(group));
    }
    byMeaning.set(whole, group);
  }
  return groups.map((group) => group.questions);
}
