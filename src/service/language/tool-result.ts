import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";

/** What of a result the model reads, in characters; more would crowd out the conversation. */
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
  // Never between the halves of one character.
  const shown = text.slice(0, toolResultMaxCharacters).replace(/[\uD800-\uDBFF]$/, "");
  return `${shown}\n[cut here: ${text.length - shown.length} more characters]`;
}

/** A tool's result as the model is to read it: its texts, or its structure where there are none. */
export function toolResultText({ content, structuredContent, isError }: CallToolResult): string {
  const texts = content.map(blockText).join("\n").trim();
  const result = texts === "" && structuredContent ? JSON.stringify(structuredContent) : texts;
  return cut(`${isError ? "Error: " : ""}${result === "" ? "(no content)" : result}`);
}
