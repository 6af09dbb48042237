import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { readRichContent } from "../../../protocol/read-rich-content.ts";
import type { RichContent } from "../../../protocol/rich-content.ts";

/** How much of a result the model reads, in characters. More would leave too little space for the conversation. */
export const toolResultMaxCharacters = 16_000;

function blockText(block: CallToolResult["content"][number]): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "resource":
      return "text" in block.resource ? block.resource.text : `[file ${block.resource.uri}]`;
    case "resource_link":
      return `[link ${block.uri}]`;
    default:
      return `[${block.type}]`;
  }
}

function cut(text: string): string {
  if (text.length <= toolResultMaxCharacters) return text;
  // Do not split a surrogate pair.
  const shown = text.slice(0, toolResultMaxCharacters).replace(/[\uD800-\uDBFF]$/, "");
  return `${shown}\n[cut here: ${text.length - shown.length} more characters]`;
}

/** A tool's result: the text for the model, and what the visitor is shown. */
export interface ToolResult {
  readonly text: string;
  readonly visavis?: RichContent;
}

function resultText({ content, structuredContent, isError }: CallToolResult): string {
  const texts = content.map(blockText).join("\n").trim();
  const result = texts === "" && structuredContent ? JSON.stringify(structuredContent) : texts;
  return `${isError ? "Error: " : ""}${result === "" ? "(no content)" : result}`;
}

/**
 * A tool's result. The model reads its texts, or its structured content if there are none. The visitor is shown the field
 * `visavis` of the structured content or of `_meta` (docs/rich-answers.md). If it cannot be shown, the model is told why.
 */
export function toolResult(result: CallToolResult): ToolResult {
  const wanted = result.structuredContent?.["visavis"] ?? result._meta?.["visavis"];
  const text = resultText(result);
  if (wanted === undefined) return { text: cut(text) };
  const read = readRichContent(wanted);
  return "content" in read
    ? { text: cut(text), visavis: read.content }
    : { text: cut(`Error: nothing was shown. ${read.fault}\n${text}`) };
}
