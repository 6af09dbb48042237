import { setImmediate as nextTurn } from "node:timers/promises";

/** A passage contains a few sentences: enough to be understood, and few enough that several passages fit together. */
const passageMaxCharacters = 900;

/** How much of a text is divided into passages at once. */
const charactersPerTurn = 10_000;

function paragraphs(text: string): string[] {
  return text
    .split(/\r?\n[ \t]*\r?\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== "");
}

const sentences = new Intl.Segmenter("en", { granularity: "sentence" });
/** So many characters are divided into sentences at once: the segmenter takes time for its whole text with each sentence. */
const segmentedCharacters = passageMaxCharacters;

/** A text in pieces of so many characters at most, divided at spaces and line ends where there are any. */
function pieces(text: string, maxCharacters: number): string[] {
  const found: string[] = [];
  for (let start = 0; start < text.length;) {
    const piece = text.slice(start, start + maxCharacters);
    const isLast = start + maxCharacters >= text.length;
    const space = Math.max(piece.lastIndexOf("\n"), piece.lastIndexOf(" "));
    const length = isLast || space <= 0 ? piece.length : space + 1;
    found.push(piece.slice(0, length));
    start += length;
  }
  return found;
}

/** Parts of a paragraph, each at most as long as a passage: whole sentences if they fit. */
function* parts(paragraph: string): Generator<string> {
  if (paragraph.length <= passageMaxCharacters) {
    yield paragraph;
    return;
  }
  let open = "";
  for (const run of pieces(paragraph, segmentedCharacters))
    for (const { segment } of sentences.segment(run))
      for (const piece of pieces(segment, passageMaxCharacters)) {
        if (open.length + piece.length > passageMaxCharacters) {
          yield open;
          open = "";
        }
        open += piece;
      }
  yield open;
}

/** A document's passages in order: short paragraphs are joined, long ones split. Other requests are served in the meantime. */
export async function documentPassages(text: string): Promise<string[]> {
  const passages: string[] = [];
  let charactersAtOnce = 0;
  for (const paragraph of paragraphs(text))
    for (const part of parts(paragraph)) {
      charactersAtOnce += part.length;
      if (charactersAtOnce > charactersPerTurn) {
        charactersAtOnce = 0;
        await nextTurn();
      }
      const said = part.trim();
      const last = passages.at(-1);
      if (last !== undefined && last.length + said.length + 2 <= passageMaxCharacters)
        passages[passages.length - 1] = said === "" ? last : `${last}\n\n${said}`;
      else if (said !== "") passages.push(said);
    }
  return passages;
}
