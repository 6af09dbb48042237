/** The part of an utterance on the caption lines: words already said, the word being said, words to come. */
export interface CaptionWindow {
  readonly said: string;
  readonly now: string;
  readonly next: string;
}

/** Three lines of 21 em hold about this many characters of Latin text. */
const charactersOnLines = 96;
const minSentence = 24;

/**
 * Cuts an utterance into captions at sentence ends, then at commas, then between words, none longer than the lines.
 * Returns the index of the first word of each caption.
 */
export function captionStarts(words: readonly string[], limit = charactersOnLines): number[] {
  const starts = [0];
  let length = 0;
  let comma = -1;
  for (const [index, word] of words.entries()) {
    if (length > 0 && length + word.length > limit) {
      const cut = comma > (starts.at(-1) ?? 0) ? comma : index;
      starts.push(cut);
      length = words.slice(cut, index).join(" ").length + 1;
      comma = -1;
    }
    length += word.length + 1;
    if (index + 1 === words.length) break;
    if (/[.!?…。！？]["”’)]*$/.test(word) && length >= minSentence) {
      starts.push(index + 1);
      length = 0;
      comma = -1;
    } else if (/[,;:،]$/.test(word) && length > limit / 2) comma = index + 1;
  }
  return starts;
}

/** The caption that holds the word at `index` of the utterance (words are what white space separates). */
export function captionWindow(text: string, index: number): CaptionWindow {
  const words = text.split(/\s+/).filter(Boolean);
  const starts = captionStarts(words);
  const at = Math.min(Math.max(index, 0), Math.max(words.length - 1, 0));
  const which = starts.findLastIndex((start) => start <= at);
  const start = starts[which] ?? 0;
  const end = starts[which + 1] ?? words.length;
  return {
    said: words.slice(start, at).join(" "),
    now: words[at] ?? "",
    next: words.slice(at + 1, end).join(" "),
  };
}
