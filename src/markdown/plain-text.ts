import type { Block, Inline } from "./markdown-block.ts";

/** The text of a line, as it is shown. With `addresses`, links are followed by where they lead. */
function inlineText(children: readonly Inline[], addresses: boolean): string {
  return children
    .map((child) => {
      if (child.kind === "break") return "\n";
      if (child.kind === "image") return child.alt;
      if ("text" in child) return child.text;
      const text = inlineText(child.children, addresses);
      return addresses && child.kind === "link" && !child.bare && child.href !== `mailto:${text}`
        ? `${text} (${child.href})`
        : text;
    })
    .join("");
}

function listText(block: Block & { kind: "list" }): string {
  return block.items
    .map((item, index) => `${block.start === null ? "-" : `${block.start + index}.`} ${readableText(item)}`)
    .join("\n");
}

function blockText(block: Block, readable: boolean): string {
  switch (block.kind) {
    case "rule":
      return "";
    case "code":
      return block.text;
    case "quote":
      return blocksText(block.blocks, readable);
    case "list":
      return readable ? listText(block) : block.items.map(plainText).join("\n");
    case "table":
      return [block.header, ...block.rows]
        .map((row) => row.map((cell) => inlineText(cell, readable)).join("\t"))
        .join("\n");
    default:
      return inlineText(block.children, readable);
  }
}

function blocksText(blocks: readonly Block[], readable: boolean): string {
  return blocks
    .map((block) => blockText(block, readable))
    .filter(Boolean)
    .join("\n");
}

/** The letters that a formatted text shows, in their order. */
export function plainText(blocks: readonly Block[]): string {
  return blocksText(blocks, false);
}

/** A formatted text for a place without formatting: lists have their marks, and links say where they lead. */
export function readableText(blocks: readonly Block[]): string {
  return blocksText(blocks, true);
}
