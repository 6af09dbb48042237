/**
 * Text as people write it. Some models were trained on text in capitals, and say "HOW ARE YOU". Text with any small letter, or in
 * a script without capitals, stays as it is.
 */
export function readableText(recognized: string): string {
  const text = recognized.trim();
  if (!/\p{Lu}{2}/u.test(text) || /\p{Ll}/u.test(text)) return text;
  return text
    .toLowerCase()
    .replace(/^\P{L}*\p{L}/u, (start) => start.toUpperCase())
    .replace(/(?<![\p{L}'])i(?![\p{L}])/gu, "I");
}
