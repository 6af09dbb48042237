import { isSentenceEnd, sentenceParts } from "../../../protocol/sentences.ts";

/** So many characters are divided at once: the segmenter takes time for its whole text with each sentence. */
const charactersAtOnce = 2_000;
/** So many characters before and after a boundary tell what it is. */
const lookedAt = 48;

const continues = /^[\p{Ll}(]/u;
const letterOrDigit = /[\p{L}\d]/u;
const asksOrCalls = /[!?]$/;

/** Whether a part belongs to the one before it: parts also end where the text was cut, and documents have loose marks. */
function belongsTo(before: string, part: string, after: string): boolean {
  if (!isSentenceEnd(before, after)) return true;
  return (continues.test(part) && !asksOrCalls.test(before)) || !letterOrDigit.test(part);
}

function* runs(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const run = text.slice(start, start + charactersAtOnce);
    const space = start + charactersAtOnce < text.length ? run.lastIndexOf(" ") : -1;
    const length = space > 0 ? space + 1 : run.length;
    yield run.slice(0, length);
    start += length;
  }
}

/** The sentences of a paragraph. Abbreviations, ordinals and numbers do not end them. */
export function sentencesOf(text: string): string[] {
  const found: string[] = [];
  let at = 0;
  // The whole sentence is not looked at with each of its parts: a text may be made to have many.
  let before = "";
  for (const run of runs(text))
    for (const part of sentenceParts(run)) {
      const sentence = part.trim();
      const after = text.slice(at, at + lookedAt);
      at += part.length;
      if (sentence === "") continue;
      if (before !== "" && belongsTo(before, sentence, after)) {
        found.push(`${found.pop() ?? ""} ${sentence}`);
        before = `${before} ${sentence}`.slice(-lookedAt);
      } else {
        found.push(sentence);
        before = sentence.slice(-lookedAt);
      }
    }
  return found;
}
