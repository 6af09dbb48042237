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

/** Passages of the texts that fit beside each other, best first. */
async function passages({ documents = [], messages }: Turn, indexOf: DocumentIndexes): Promise<string[]> {
  const whole = documents.reduce((sum, text) => sum + text.length, 0) <= givenMaxCharacters;
  if (whole) return documents.map((text) => text.trim()).filter((text) => text !== "");
  const given: string[] = [];
  let room = givenMaxCharacters;
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
      const given = await passages(turn, indexOf);
      const note = ["Passages from the documents you were given:", ...given].join("\n\n");
      const systemPrompt = given.length > 0 ? `${turn.systemPrompt}\n\n${note}` : turn.systemPrompt;
      yield* model.answer({ ...turn, systemPrompt });
    },
  };
}
