import MiniSearch from "minisearch";
import type { ChatMessage } from "../../../protocol/llm-request.ts";
import { readQuestion } from "./question.ts";
import { textTerms } from "./terms.ts";

/** A passage contains a few sentences: enough to be understood, and few enough that several passages fit together. */
const passageMaxCharacters = 900;

/** How many passages are indexed at once. In between, other requests get their turn. */
const passagesAtOnce = 8;

/** The weight of a match, by the origin of the term. */
const weights = { asked: 1, related: 0.4, before: 0.3 };

/** A passage of a document that matches a conversation. A higher score is a better match. */
export interface MatchingPassage {
  text: string;
  score: number;
}

/** Finds the parts of a document that match a conversation. */
export interface DocumentIndex {
  /** Passages that match the visitor's last message, best first. */
  find(messages: readonly ChatMessage[]): MatchingPassage[];
}

function paragraphs(text: string): string[] {
  return text
    .split(/\r?\n[ \t]*\r?\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== "");
}

const sentences = new Intl.Segmenter("en", { granularity: "sentence" });

/** Parts of a paragraph, each at most as long as a passage: whole sentences if they fit. */
function parts(paragraph: string): string[] {
  if (paragraph.length <= passageMaxCharacters) return [paragraph];
  const found: string[] = [];
  for (const { segment } of sentences.segment(paragraph))
    for (let start = 0; start < segment.length; start += passageMaxCharacters) {
      const piece = segment.slice(start, start + passageMaxCharacters);
      const last = found.at(-1);
      if (last !== undefined && last.length + piece.length <= passageMaxCharacters)
        found[found.length - 1] = last + piece;
      else found.push(piece);
    }
  return found.map((part) => part.trim()).filter((part) => part !== "");
}

/** A document's passages in order: short paragraphs are joined, long ones split. */
export function documentPassages(text: string): string[] {
  const passages: string[] = [];
  for (const part of paragraphs(text).flatMap(parts)) {
    const last = passages.at(-1);
    if (last !== undefined && last.length + part.length + 2 <= passageMaxCharacters)
      passages[passages.length - 1] = `${last}\n\n${part}`;
    else passages.push(part);
  }
  return passages;
}

function termWeights(messages: readonly ChatMessage[]): Map<string, number> {
  const byTerm = new Map<string, number>();
  const add = (term: string, weight: number) => byTerm.set(term, Math.max(weight, byTerm.get(term) ?? 0));
  const question = readQuestion(messages);
  for (const term of question?.before ?? []) add(term, weights.before);
  for (const { term, related } of question?.terms ?? []) {
    add(term, weights.asked);
    for (const other of related) add(other, weights.related);
  }
  return byTerm;
}

/** Builds the index of a document. A large one takes a while; other requests are served in the meantime. */
export async function indexDocument(text: string): Promise<DocumentIndex> {
  const passages = documentPassages(text);
  const search = new MiniSearch<{ id: number; text: string }>({
    fields: ["text"],
    tokenize: textTerms,
    processTerm: (term) => term,
  });
  await search.addAllAsync(
    passages.map((passage, id) => ({ id, text: passage })),
    { chunkSize: passagesAtOnce },
  );
  return {
    find(messages) {
      const byTerm = termWeights(messages);
      const asked = (term: string): boolean => byTerm.get(term) === weights.asked;
      const results = search.search([...byTerm.keys()].join(" "), {
        tokenize: (query) => query.split(" ").filter((term) => term !== ""),
        processTerm: (term) => term,
        boostTerm: (term) => byTerm.get(term) ?? 0,
        fuzzy: (term) => (asked(term) && term.length > 4 ? 0.2 : false),
        prefix: (term) => asked(term) && term.length > 3,
      });
      return results.map(({ id, score }) => ({ text: passages[Number(id)] ?? "", score }));
    },
  };
}
