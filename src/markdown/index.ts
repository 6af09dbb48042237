/** Markdown: read by a parser, shown and spoken from the same blocks. Import it lazily; `markup.ts` tells when it is needed. */
export type { Block, Inline } from "./markdown-block.ts";
export { parseMarkdown } from "./parse-markdown.ts";
export { plainText, readableText } from "./plain-text.ts";
export { SpokenAnswer, spokenText, type SpokenPart } from "./spoken-answer.ts";
