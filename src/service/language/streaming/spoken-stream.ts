import type { LlmStreamEvent } from "../../../protocol/llm-stream.ts";
import { firstCut } from "./speaking-pieces.ts";

const sentences = new Intl.Segmenter("en", { granularity: "sentence" });

/** Text that only looks like the end of a sentence: an abbreviation, an initial, the number of a list item. */
const noEnd =
  /(?:(?:^|[\s(])(?:mr|mrs|ms|dr|prof|st|no|nr|vs|approx|e\.g|i\.e|z\.B|d\.h|[a-z])\.|^\s*\d{1,3}[.)])\s*$/iu;

const speakable = /[\p{L}\p{N}]/u;

/** A longer sentence is split. */
const pieceMaxCharacters = 400;

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
    const next = sentences.segment(this.#rest)[Symbol.iterator]();
    let end = 0;
    for (let step = next.next(); !step.done; step = next.next()) {
      if (end > 0 && speakable.test(step.value.segment)) {
        const sentence = this.#rest.slice(0, end);
        if (speakable.test(sentence) && !noEnd.test(sentence)) return end;
      }
      end += step.value.segment.length;
    }
    return null;
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
    for (const piece of isText ? pieces.add(event.content) : pieces.end()) yield message(piece);
    if (!isText) yield event;
  }
  for (const piece of pieces.end()) yield message(piece);
}
