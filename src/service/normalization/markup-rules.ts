/** A built-in rule before it is numbered. */
export type RuleLine = readonly [pattern: string, replacement: string, description: string, locale?: string];

/** Marks of Markdown are not spoken: only the text that they format. Links are read by their text. */
export const markupLines: readonly RuleLine[] = [
  ["(?m)^\\s*```.*$", "", "Markdown: code block"],
  [String.raw`(?m)^\s*(?:[-*_][ \t]*){3,}$`, "", "Markdown: line"],
  [String.raw`(?m)^[ \t]{0,3}#{1,6}[ \t]+(.*?)[ \t]*#*$`, "$1", "Markdown: heading"],
  [String.raw`(?m)^[ \t]*>[ \t]?`, "", "Markdown: quotation"],
  [String.raw`(?m)^[ \t]*[-*+•][ \t]+(?:\[[ xX]\][ \t]+)?`, "", "Markdown: list item"],
  [String.raw`!?\[([^\]]*)\]\((?:[^()\s]|\([^()\s]*\))*(?:\s+"[^"]*")?\)`, "$1", "Markdown: link"],
  [String.raw`\*\*([^*]+)\*\*`, "$1", "Markdown: bold"],
  [String.raw`(^|[^\w])__([^_]+)__`, "$1$2", "Markdown: bold"],
  [String.raw`(^|[\s(])\*([^*\s](?:[^*]*[^*\s])?)\*`, "$1$2", "Markdown: italic"],
  [String.raw`(^|[\s(])_([^_\s](?:[^_]*[^_\s])?)_`, "$1$2", "Markdown: italic"],
  [String.raw`~~([^~]+)~~`, "$1", "Markdown: strikethrough"],
  ["`([^`]+)`", "$1", "Markdown: code"],
];

/** Web addresses without protocol and query, and e-mail addresses. `language` is that of the words for their signs. */
export function addressLines(language: string): readonly RuleLine[] {
  const host = String.raw`[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?\.[a-zA-Z]{2,}`;
  const path = String.raw`(?:/[\w./~-]*[\w~-])?`;
  const rest = String.raw`/?(?:[?#][^\s.,;!?)]*)?`;
  const said = `{address:$1:${language}}`;
  return [
    [`(?i)\\b(?:https?://(?:www\\.)?|www\\.)(${host}${path})${rest}`, said, "web address"],
    [String.raw`\b([a-zA-Z0-9._%+-]+@${host})`, said, "e-mail address"],
  ];
}
