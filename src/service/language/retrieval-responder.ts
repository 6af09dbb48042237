import type { LlmStreamEvent } from "../../protocol/llm-stream.ts";
import { documentsInPart, keepDocumentIndexes } from "./document-passages.ts";
import type { LanguageModel, Turn } from "./language-model.ts";
import type { FoundPassage, PassageIndex } from "./passage-index.ts";
import { indexPassages } from "./passage-index.ts";
import { lastUserText, readQuestion } from "./question.ts";
import { smallTalk } from "./small-talk.ts";
import { speakingPieces } from "./speaking-pieces.ts";

/** How many texts stay indexed; the one asked least recently goes first. */
const keptIndexes = 64;

/** So much of documents is searched sentence by sentence; of longer ones, the passages that match best. */
const documentsMaxCharacters = 20_000;

/** Passages below this coverage do not answer; between the two they may help, and are announced as such. */
const relatedCoverage = 0.36;
const answeringCoverage = 0.5;

/** A further sentence is quoted when it is nearly as good as the best. */
const nearlyAsGood = 0.62;
const maxSentences = 3;
const maxCharacters = 320;

const nothingFound =
  "I don't have an answer to that in the information I was given. Could you ask in other words?";
const perhapsRelated = "I don't have an exact answer to that, but this may help.";
const nothingAsked = "What would you like to know?";

function quoted(found: readonly FoundPassage[]): string[] {
  const best = found[0];
  if (!best) return [];
  const chosen: string[] = [];
  let length = 0;
  for (const { text, score } of found) {
    if (chosen.includes(text)) continue;
    const fits = chosen.length === 0 || length + text.length <= maxCharacters;
    if (chosen.length === maxSentences || score < best.score * nearlyAsGood || !fits) break;
    chosen.push(text);
    length += text.length;
  }
  return chosen;
}

function answerSentences(index: PassageIndex, turn: Turn): string[] {
  const text = lastUserText(turn.messages)?.trim();
  const question = readQuestion(turn.messages);
  if (!text || !question) return [nothingAsked];
  const talk = smallTalk(text);
  if (talk !== null) return [talk];
  const found = index.find(question);
  const coverage = found[0]?.coverage ?? 0;
  if (coverage < relatedCoverage) return [nothingFound];
  if (coverage < answeringCoverage) return [perhapsRelated, ...quoted(found).slice(0, 1)];
  return quoted(found);
}

/**
 * The language model that works at once and offline: it quotes the sentences of the session's instructions that answer
 * best, word for word, and says so when it finds none. It never makes anything up and never quotes headings or what the
 * instructions tell the avatar itself.
 */
export function createRetrievalResponder(indexOfDocument = keepDocumentIndexes()): LanguageModel {
  const indexes = new Map<string, PassageIndex>();

  function indexOf(text: string): PassageIndex {
    const index = indexes.get(text) ?? indexPassages(text);
    indexes.delete(text);
    indexes.set(text, index);
    const [oldest] = indexes.keys();
    if (indexes.size > keptIndexes && oldest !== undefined) indexes.delete(oldest);
    return index;
  }

  /** Everything that may be quoted. */
  async function knownText(turn: Turn): Promise<string> {
    const documents = await documentsInPart(turn, indexOfDocument, documentsMaxCharacters);
    return [turn.systemPrompt, ...documents].join("\n\n");
  }

  return {
    quotesOnly: true,
    async *answer(turn): AsyncGenerator<LlmStreamEvent> {
      const text = await knownText(turn); // The caller gets its iterator before any work begins.
      for (const content of speakingPieces(answerSentences(indexOf(text), turn))) {
        if (turn.signal?.aborted) return;
        yield { status: "success", type: "message", role: "assistant", content };
      }
    },
  };
}
