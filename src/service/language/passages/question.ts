import type { ChatMessage } from "../../../protocol/llm-request.ts";
import { textTerms, textWords } from "./terms.ts";
import { emptyWords, questionForms, relationWords, wordGroups } from "./word-groups.ts";

/** One search term of a question, and terms with the same meaning. */
interface QuestionTerm {
  term: string;
  related: readonly string[];
}

/** The search terms of a question. */
export interface Question {
  terms: readonly QuestionTerm[];
  /** Terms that the answer probably contains, because of the form of the question. */
  expected: readonly string[];
  /** Small words of the question, which decide between passages with equal scores. */
  relations: readonly string[];
  /** Terms of the previous conversation, if the question refers to it ("how wide is it?"). */
  before: readonly string[];
}

const maxTerms = 40;

const relatedTerms: ReadonlyMap<string, readonly string[]> = (() => {
  const related = new Map<string, Set<string>>();
  for (const group of wordGroups) {
    const terms = group.flatMap((word) => textTerms(word));
    for (const term of terms) related.set(term, new Set([...(related.get(term) ?? []), ...terms]));
  }
  return new Map([...related].map(([term, all]) => [term, [...all].filter((other) => other !== term)]));
})();

function contentTerms(text: string): string[] {
  const terms = textWords(text)
    .filter(({ word }) => !emptyWords.has(word.replace(/['’]/g, "")))
    .flatMap(({ terms }) => terms);
  return [...new Set(terms)].slice(0, maxTerms);
}

const leaning = /\b(?:it|its|they|them|this|that|these|those|one|ones|there)\b/i;
const fewTerms = 2;

/** The visitor's last message; null when there is none. */
export function lastUserText(messages: readonly ChatMessage[]): string | null {
  return messages.findLast(({ role }) => role === "user")?.content ?? null;
}

function termsBefore(messages: readonly ChatMessage[], text: string, terms: readonly string[]): string[] {
  if (!leaning.test(text) && terms.length > fewTerms) return [];
  const last = messages.findLastIndex(({ role }) => role === "user");
  const earlier = messages.slice(0, last).slice(-2);
  return earlier.flatMap(({ content }) => contentTerms(content)).filter((term) => !terms.includes(term));
}

/** Extracts the search terms from the visitor's last message; null when there is none. */
export function readQuestion(messages: readonly ChatMessage[]): Question | null {
  const text = lastUserText(messages);
  if (text === null) return null;
  const plain = text.normalize("NFKC").toLowerCase();
  const forms = questionForms.filter(({ form }) => form.test(plain));
  // "How long does delivery take" asks for a duration, not for a length.
  const asked = plain.replace(/\bhow (?:long|soon|fast|quick|quickly)\b(?! is the)/g, " ");
  const terms = contentTerms(asked);
  return {
    terms: terms.map((term) => ({ term, related: relatedTerms.get(term) ?? [] })),
    expected: [...new Set(forms.flatMap(({ answer }) => answer).flatMap((word) => textTerms(word)))],
    relations: textTerms(plain).filter((term) => relationWords.has(term)),
    before: [...new Set(termsBefore(messages, text, terms))].slice(0, maxTerms),
  };
}
