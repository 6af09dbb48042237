import type { LanguageModel, Turn } from "./language-model.ts";
import { indexDocument } from "./document-index.ts";
import type { DocumentIndex } from "./document-index.ts";

/** What of documents goes into a system prompt, in characters. Shorter documents go in whole. */
const givenMaxCharacters = 6_000;

/** How many documents stay indexed; the one asked least recently goes first. */
const keptIndexes = 16;

/** The index of a text, kept for the next question. */
export type DocumentIndexes = (text: string) => Promise<DocumentIndex>;

/** Keeps the indexes of the documents asked last. */
export function keepDocumentIndexes(): DocumentIndexes {
  const indexes = new Map<string, Promise<DocumentIndex>>();
  return (text) => {
    const index = indexes.get(text) ?? indexDocument(text);
    indexes.delete(text);
    indexes.set(text, index);
    const [oldest] = indexes.keys();
    if (indexes.size > keptIndexes && oldest !== undefined) indexes.delete(oldest);
    return index;
  };
}

/**
 * What of the turn's documents has to do with its question: all of them where they are no longer than `maxCharacters` together,
 * else the passages that fit, best first.
 */
export async function documentsInPart(
  { documents = [], messages }: Pick<Turn, "documents" | "messages">,
  indexOf: DocumentIndexes,
  maxCharacters: number,
): Promise<string[]> {
  const whole = documents.reduce((sum, text) => sum + text.length, 0) <= maxCharacters;
  if (whole) return documents.map((text) => text.trim()).filter((text) => text !== "");
  const given: string[] = [];
  let room = maxCharacters;
  for (const text of documents)
    for (const passage of (await indexOf(text)).find(messages)) {
      if (passage.length > room) break;
      given.push(passage);
      room -= passage.length;
    }
  return given;
}

/** A model that is given, with its system prompt, what the turn's documents say about the visitor's question. */
export function withDocuments(model: LanguageModel, indexOf: DocumentIndexes): LanguageModel {
  return {
    async *answer(turn) {
      const given = await documentsInPart(turn, indexOf, givenMaxCharacters);
      const note = ["Passages from the documents you were given:", ...given].join("\n\n");
      const systemPrompt = given.length > 0 ? `${turn.systemPrompt}\n\n${note}` : turn.systemPrompt;
      yield* model.answer({ ...turn, systemPrompt });
    },
  };
}
