import { LRUCache } from "lru-cache";
import type { LlmStreamEvent } from "../../../../protocol/llm-stream.ts";
import { documentsInPart, keepDocumentIndexes } from "../../passages/document-passages.ts";
import type { LanguageModel, Turn } from "../../language-model.ts";
import type { PassageIndex } from "../../passages/passage-index.ts";
import { indexPassages } from "../../passages/passage-index.ts";
import type { KnownTexts } from "../../passages/passages.ts";
import { lastUserText, readQuestion } from "../../passages/question.ts";
import { quotedAnswer } from "./quoted-answer.ts";
import { smallTalk } from "./small-talk.ts";
import { speakingPieces } from "../../streaming/speaking-pieces.ts";

/** How many texts stay indexed; the least recently used one is dropped first. */
const keptIndexes = 64;

/**
 * Documents up to this total length are searched sentence by sentence. Of longer ones, only the best matching passages are
 * searched.
 */
export const documentsMaxCharacters = 20_000;

const nothingFound =
  "I don't have an answer to that in the information I was given. Could you ask in other words?";
const nothingAsked = "What would you like to know?";

/** An answer; null when there is none. */
function answerSentences(index: PassageIndex, turn: Turn): string[] | null {
  const text = lastUserText(turn.messages)?.trim();
  const question = readQuestion(turn.messages);
  if (!text || !question) return [nothingAsked];
  const talk = smallTalk(text);
  if (talk !== null) return [talk];
  return quotedAnswer(index.find(question))?.sentences ?? null;
}

/**
 * The language model that works immediately and offline. It quotes the best matching sentences of the session's instructions word
 * for word, and says so when it finds none. It never invents anything. It never quotes headings or instructions that are meant
 * for the avatar.
 */
export function createRetrievalResponder(indexOfDocument = keepDocumentIndexes()): LanguageModel {
  const indexes = new LRUCache<string, PassageIndex, KnownTexts>({
    max: keptIndexes,
    memoMethod: (_key, _stale, { context }) => indexPassages(context),
  });

  /** The index of all text that may be quoted. */
  async function indexFor(turn: Turn): Promise<PassageIndex> {
    const documents = await documentsInPart(turn, indexOfDocument, documentsMaxCharacters);
    const key = JSON.stringify([turn.systemPrompt, ...documents]);
    return indexes.memo(key, { context: { instructions: turn.systemPrompt, documents } });
  }

  return {
    quotesOnly: true,
    async *answer(turn): AsyncGenerator<LlmStreamEvent> {
      const index = await indexFor(turn); // The caller gets its iterator before any work begins.
      const sentences = answerSentences(index, turn);
      for (const content of speakingPieces(sentences ?? [nothingFound])) {
        if (turn.signal?.aborted) return;
        yield { status: "success", type: "message", role: "assistant", content };
      }
      // Clients may offer a person after it.
      if (!sentences)
        yield { status: "success", type: "finish", role: "assistant", content: "", found: false };
    },
  };
}
