/** A wording as one line with its question mark, without characters that would prevent it from being a heading. */
function headingText(wording: string): string {
  const line = wording
    .replace(/\s+/g, " ")
    .replace(/^[#>*\-\s]+/, "")
    .replace(/(?<![#\s.!])[#\s.!]+$/, "");
  return line === "" || /[?？؟]$/.test(line) ? line : `${line}?`;
}

/** An answer, without lines that would begin another section. */
function answerText(answer: string): string {
  return answer
    .trim()
    .split(/\r?\n/)
    .map((line) => line.replace(/^\s*#{1,6}\s+/, ""))
    .join("\n");
}

/**
 * What is added to a document for a taught answer: the wordings of the question as the heading, so that each of them finds the answer,
 * and the answer below.
 */
export function taughtBlock(wordings: readonly string[], answer: string): string {
  const heading = [...new Set(wordings.map(headingText))].filter((wording) => wording !== "").join(" / ");
  return `## ${heading}\n\n${answerText(answer)}`;
}

/** The text with one more answer. */
export function withBlock(text: string, block: string): string {
  return text.trim() === "" ? `${block}\n` : `${text.trimEnd()}\n\n${block}\n`;
}

/** The text without an answer; null if the answer is not there as it was taught. */
export function withoutBlock(text: string, block: string): string | null {
  const start = text.indexOf(block);
  if (start === -1) return null;
  const [before, after] = [text.slice(0, start).trimEnd(), text.slice(start + block.length).trim()];
  return [before, after].filter((part) => part !== "").join("\n\n");
}

/** How many answers a taught document has. */
export function countBlocks(text: string): number {
  return text.match(/^## /gm)?.length ?? 0;
}
