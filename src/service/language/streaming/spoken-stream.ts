import { setImmediate as nextTurn } from "node:timers/promises";
import type { LlmStreamEvent } from "../../../protocol/answers/llm-stream.ts";
import { dependsOnNext, isSentenceEnd, sentenceParts } from "../../../protocol/sentences.ts";

/** A first piece up to this number of characters is short enough for speech to start early. */
const firstPieceLength = 48;
/** A piece shorter than this would sound cut off. */
const shortestPiece = 24;

const conjunction = "(?:and|but|or|so|because|which|unless|if|while|where|when)\\b";

/**
 * Where speakers take a breath, the best places first: the end of a clause, a first comma that does not separate list items (the
 * next comma is far away), and a conjunction.
 */
const breaths = [
  new RegExp(`[;:–—]\\s+|,\\s+(?=${conjunction})`, "g"),
  /^[^,]*,\s+(?=[^,]{24})/g,
  new RegExp(`(?<!\\s)\\s+(?=${conjunction})`, "g"),
];

/** The first place of a kind where both pieces are long enough to stand alone and the first one is short. */
function cutAt(kind: RegExp, sentence: string): number | null {
  for (const match of sentence.matchAll(kind)) {
    const end = match.index + match[0].length;
    if (end >= shortestPiece && end < sentence.length - shortestPiece) return end;
  }
  return null;
}

/** Where a long first sentence may be cut. */
function firstCut(sentence: string): number | null {
  if (sentence.length <= firstPieceLength) return null;
  return breaths.map((kind) => cutAt(kind, sentence)).find((end) => end !== null) ?? null;
}

/**
 * Splits an answer at natural speaking boundaries. The first piece is short, so that speech starts early. Joined, the pieces are
 * the sentences with one space in between.
 */
export function speakingPieces(sentences: readonly string[]): string[] {
  return sentences.flatMap((sentence, index) => {
    const whole = index < sentences.length - 1 ? `${sentence} ` : sentence;
    const cut = index === 0 ? firstCut(whole) : null;
    return cut === null ? [whole] : [whole.slice(0, cut), whole.slice(cut)];
  });
}

const speakable = /[\p{L}\p{N}]/u;

/** A longer sentence is split. */
const pieceMaxCharacters = 400;
/** Further on, nothing tells where a sentence ends. The whole rest is not looked through for each piece. */
const seenCharacters = 2 * pieceMaxCharacters;

/** Where a sentence that is too long is split: after its last clause, else its last word, else anywhere. */
function forcedCut(text: string): number {
  const part = text.slice(0, pieceMaxCharacters);
  const clause = Math.max(...[", ", "; ", ": ", "、", "，"].map((mark) => part.lastIndexOf(mark)));
  if (clause > pieceMaxCharacters / 2) return clause + (part[clause + 1] === " " ? 2 : 1);
  const space = part.lastIndexOf(" ");
  if (space > 0) return space + 1;
  // Do not split a surrogate pair.
  return /[\uD800-\uDBFF]$/.test(part) ? part.length - 1 : part.length;
}

/**
 * Splits a text that arrives in parts at natural speaking boundaries: whole sentences, and a first clause if the first sentence
 * is long, so that speech starts early. Joined, the pieces are the text.
 */
export class SpokenPieces {
  #rest = "";
  #started = false;

  /** Adds more of the text; returns the pieces that are now complete. */
  add(text: string): string[] {
    this.#rest += text;
    const pieces: string[] = [];
    for (let end = this.#cut(); end !== null; end = this.#cut()) {
      pieces.push(this.#rest.slice(0, end));
      this.#rest = this.#rest.slice(end);
      this.#started = true;
    }
    return pieces;
  }

  /** The text has ended; returns the remaining pieces. */
  end(): string[] {
    const rest = this.#rest;
    this.#rest = "";
    return rest === "" ? [] : [rest];
  }

  #cut(): number | null {
    const end = this.#sentenceEnd();
    const first = this.#started ? null : firstCut(this.#rest.slice(0, end ?? undefined));
    if (first !== null || end !== null) return first ?? end;
    return this.#rest.length > pieceMaxCharacters ? forcedCut(this.#rest) : null;
  }

  /** A sentence only ends where the next one begins, because a final dot could still be part of a number. */
  #sentenceEnd(): number | null {
    const seen = this.#rest.slice(0, seenCharacters);
    let end = 0;
    for (const part of sentenceParts(seen)) {
      if (end > 0 && speakable.test(part)) {
        const sentence = seen.slice(0, end);
        const after = seen.slice(end);
        // The next word may have arrived in part.
        if (dependsOnNext(sentence) && !/\S[\s.,!?]/.test(after)) return null;
        if (speakable.test(sentence) && isSentenceEnd(sentence, after)) return end;
      }
      end += part.length;
    }
    return null;
  }
}

/** So much of a text is split at once: some models send their whole answer in one event. */
const charactersAtOnce = 4_000;

/** A text in parts, between which others have their turn. */
async function* inTurns(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += charactersAtOnce) {
    if (at > 0) await nextTurn();
    yield text.slice(at, at + charactersAtOnce);
  }
}

/** The events of an answer, with its text split into pieces for speech. */
export async function* spokenEvents(events: AsyncIterable<LlmStreamEvent>): AsyncGenerator<LlmStreamEvent> {
  const pieces = new SpokenPieces();
  const message = (content: string): LlmStreamEvent => ({
    status: "success",
    type: "message",
    role: "assistant",
    content,
  });
  for await (const event of events) {
    const isText = event.status === "success" && event.type === "message";
    if (isText) {
      for await (const text of inTurns(event.content))
        for (const piece of pieces.add(text)) yield message(piece);
      continue;
    }
    for (const piece of pieces.end()) yield message(piece);
    yield event;
  }
  for (const piece of pieces.end()) yield message(piece);
}
