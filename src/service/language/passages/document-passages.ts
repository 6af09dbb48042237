import { LRUCache } from "lru-cache";
import type { LanguageModel, Turn } from "../language-model.ts";
import { indexDocument } from "./document-index.ts";
import type { DocumentIndex } from "./document-index.ts";
import type { DocumentPart } from "./passages.ts";

/** How much of documents goes into a system prompt, in characters. Shorter documents are included completely. */
const givenMaxCharacters = 6_000;

/** How many documents stay indexed; the least recently used one is dropped first. */
const keptIndexes = 16;

/** Finds or builds the index of a text, and keeps it for the next question. */
export type DocumentIndexes = (text: string) => Promise<DocumentIndex>;

/** Keeps the indexes of the most recently used documents. */
export function keepDocumentIndexes(): DocumentIndexes {
  const indexes = new LRUCache<string, Promise<DocumentIndex>>({
    max: keptIndexes,
    memoMethod: (text) => indexDocument(text),
  });
  return (text) => indexes.memo(text);
}

/**
 * The parts of the turn's documents that match its question: everything if they are no longer than `maxCharacters` together, else
 * the passages that fit, best first.
 */
export async function documentsInPart(
  { documents = [], messages }: Pick<Turn, "documents" | "messages">,
  indexOf: DocumentIndexes,
  maxCharacters: number,
): Promise<DocumentPart[]> {
  const whole = documents.reduce((sum, text) => sum + text.length, 0) <= maxCharacters;
  if (whole)
    return documents
      .map((text, place) => ({ document: place, text: text.trim() }))
      .filter(({ text }) => text !== "");
  const found: (DocumentPart & { score: number })[] = [];
  for (const [place, text] of documents.entries())
    for (const passage of (await indexOf(text)).find(messages)) found.push({ document: place, ...passage });
  found.sort((one, other) => other.score - one.score);
  const given: DocumentPart[] = [];
  let room = maxCharacters;
  for (const { document: place, text } of found) {
    if (text.length > room) break;
    given.push({ document: place, text });
    room -= text.length;
  }
  return given;
}

/** A model whose system prompt also contains what the turn's documents say about the visitor's question. */
export function withDocuments(model: LanguageModel, indexOf: DocumentIndexes): LanguageModel {
  return {
    async *answer(turn) {
      const given = await documentsInPart(turn, indexOf, givenMaxCharacters);
      const texts = given.map(({ text }) => text);
      const note = ["Passages from the documents you were given:", ...texts].join("\n\n");
      const systemPrompt = given.length > 0 ? `${turn.systemPrompt}\n\n${note}` : turn.systemPrompt;
      yield* model.answer({ ...turn, systemPrompt });
    },
  };
}
