/** A shorter sentence is asked for together with the one before it. */
const leastLength = 24;

/** The sentences of a text, with the white space behind them. What is said in one breath, as "No. 5", may stay together. */
export function sentencesOf(text: string): string[] {
  if (!("Segmenter" in Intl)) return [text];
  const sentences: string[] = [];
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: "sentence" }).segment(text)) {
    const before = sentences.at(-1);
    if (before !== undefined && (before.trim().length < leastLength || segment.trim().length < leastLength))
      sentences[sentences.length - 1] = before + segment;
    else sentences.push(segment);
  }
  return sentences.filter((sentence) => sentence.trim());
}
