import type { Block, Inline } from "./markdown-block.ts";
import type { Phrases } from "./phrases.ts";

const endOfSentence = /[.!?…:;,。！？：；、،؟]["'”’)\]]*$/;
const pictographs = /(?:\p{Extended_Pictographic}|\p{Emoji_Component}(?<![#*\d]))+/gu;
/** Signs that are letters or marks of their own and are read: ©, ®, ™. */
const readSigns = /^[©®™]$/u;

function collapsed(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Ends a text with a dot, so that the voice makes a pause, unless it has an end. */
function ended(text: string): string {
  const said = collapsed(text);
  return said === "" || endOfSentence.test(said) ? said : `${said}.`;
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Says the phrase at its place in a sentence: "More at: the link is in the text." */
function withPhrase(before: string, phrase: string): string {
  const said = before.trimEnd();
  if (said === "") return capitalized(phrase);
  if (/[.!?…。！？]$/.test(said)) return `${said} ${capitalized(phrase)}`;
  return /[:,;(，：]$/.test(said) ? `${said} ${phrase}` : `${said}: ${phrase}`;
}

function inlineSpeech(children: readonly Inline[], phrases: Phrases): string {
  let said = "";
  let afterPhrase = false;
  for (const child of children) {
    if (child.kind === "link" && child.bare) {
      said = withPhrase(said, phrases.link);
      afterPhrase = true;
      continue;
    }
    const piece = pieceSpeech(child, phrases);
    said += afterPhrase && /^\s*[\p{L}\p{N}]/u.test(piece) ? `, ${piece.trimStart()}` : piece;
    if (piece.trim()) afterPhrase = false;
  }
  return said;
}

function pieceSpeech(child: Inline, phrases: Phrases): string {
  switch (child.kind) {
    case "break":
      return "\n";
    case "image":
      return child.alt;
    case "text":
      return child.text
        .replace(pictographs, (sign) => (readSigns.test(sign) ? sign : " "))
        .replace(/<\/?[a-z][^>]*>/gi, " ");
    case "code":
      return child.text;
    default:
      return inlineSpeech(child.children, phrases);
  }
}

/** The lines of a paragraph, each with an end. */
function linesSpeech(children: readonly Inline[], phrases: Phrases): string {
  const lines = inlineSpeech(children, phrases).split("\n").map(collapsed).filter(Boolean);
  return lines.map((line, index) => (index < lines.length - 1 ? ended(line) : line)).join(" ");
}

/** A row as a person reads it: what it is about, then each column's name with what stands there. */
function rowSpeech(
  header: readonly (readonly Inline[])[],
  row: readonly (readonly Inline[])[],
  phrases: Phrases,
): string {
  const cells = row.map((cell) => linesSpeech(cell, phrases));
  const facts = cells.slice(1).map((cell, index) => {
    const name = linesSpeech(header[index + 1] ?? [], phrases);
    return cell && name ? `${name} ${cell}` : cell;
  });
  const said = facts.filter(Boolean).join(", ");
  if (!cells[0]) return said;
  return said ? `${cells[0]}: ${said}` : cells[0];
}

function blockSpeech(block: Block, phrases: Phrases): string {
  switch (block.kind) {
    case "rule":
      return "";
    case "code":
      return capitalized(phrases.code);
    case "quote":
      return spokenMarkdown(block.blocks, phrases);
    case "list":
      return joined(
        block.items.map((item, index) => {
          const said = spokenMarkdown(item, phrases);
          return said && block.start !== null ? `${block.start + index}: ${said}` : said;
        }),
      );
    case "table":
      return joined(block.rows.map((row) => rowSpeech(block.header, row, phrases)));
    default:
      return linesSpeech(block.children, phrases);
  }
}

/** Parts one after the other, with a pause after each but the last, which may go on. */
function joined(parts: readonly string[], separator = " "): string {
  const said = parts.map(collapsed).filter(Boolean);
  return said.map((part, index) => (index < said.length - 1 ? ended(part) : part)).join(separator);
}

/**
 * A formatted text as a person would read it: no marks, no addresses, no pictographs; tables row by row. Blank lines stay between
 * its paragraphs, because voices pause there.
 */
export function spokenMarkdown(blocks: readonly Block[], phrases: Phrases): string {
  return joined(
    blocks.map((block) => blockSpeech(block, phrases)),
    "\n\n",
  );
}
