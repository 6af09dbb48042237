import { concatenatedSpeech } from "./speech-samples.ts";
import type { Speech } from "../speech-synthesizer.ts";

/** Maps items with at most `limit` calls of `work` at a time; results are in the items' order. Stops at the first failure. */
async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const entries = items.entries();
  let hasFailed = false;
  const lane = async (): Promise<void> => {
    for (const [index, item] of entries) {
      if (hasFailed) return;
      results[index] = await work(item).catch((error: unknown) => {
        hasFailed = true;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, lane));
  return results;
}

/** How much longer the pause after a paragraph is than the one after a sentence, in ms. */
const pauseMs = 300;

const blankLine = /\n[^\S\n]*\n\s*/u;

/**
 * The paragraphs of a text. Answers arrive in parts: where a part begins or ends with a blank line, its first or last paragraph is
 * empty, so that the pause is not lost.
 */
export function textParagraphs(text: string): string[] {
  return text.split(blankLine);
}

/** Without white space at its ends, but for a blank line. */
export function trimmedParagraphs(text: string): string {
  return textParagraphs(text)
    .map((paragraph) => paragraph.trim())
    .join("\n\n");
}

/** Speaks the pieces of each paragraph, `atOnce` of them at a time, and joins them with a pause between paragraphs. */
export async function spokenParagraphs<Piece>(
  paragraphs: readonly (readonly Piece[])[],
  atOnce: number,
  speak: (piece: Piece) => Promise<Speech>,
): Promise<Speech> {
  const spoken = await mapConcurrently(paragraphs.flat(), atOnce, speak);
  const pause = silence(spoken.find(({ pcm }) => pcm.length > 0)?.sampleRateHz ?? 16_000);
  let taken = 0;
  return concatenatedSpeech(
    paragraphs.flatMap(({ length }, index) => {
      const pieces = spoken.slice(taken, (taken += length));
      return index === 0 ? pieces : [pause, ...pieces];
    }),
  );
}

function silence(sampleRateHz: number): Speech {
  return {
    sampleRateHz,
    pcm: new Int16Array((sampleRateHz * pauseMs) / 1_000),
    words: [],
    visemes: [{ viseme: "sil", start: 0, end: pauseMs }],
  };
}
