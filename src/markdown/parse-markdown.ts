import remend from "remend";
import { Lexer, type Token, Tokenizer, type Tokens } from "marked";
import type { Block, Inline } from "./markdown-block.ts";

/** The marks that begin a block, alone on the last line: their text has not come yet. */
const lonelyMark = /(^|\n)[ \t]*(?:(?:[-*+>#]|\d{1,9}[.)])[ \t]*)+(?:\[[ x]?\]?[ \t]*)?$/i;
/** An underline of a heading or a line across, not complete yet. */
const openLine = /\n[ \t]*(?:=+|-+|\*{2,}|_{2,})[ \t]*$/;
/** Marks inside a line, and entities, whose other part may still come. */
const openInline = /(?:!?\[|[*_~`<]{1,64}|\\|&#?\w{0,8})$/;
/** Marks that are still open are looked for in so many last characters. */
const lastCharacters = 4_000;

const tableRow = /^[ \t]*\|/;
const delimiterCell = /^\s*:?-+:?\s*$/;

function cellsOf(row: string): string[] {
  return row.trim().replace(/^\|/, "").replace(/\|$/, "").split("|");
}

/** Drops the rows of a table whose second line, which makes it a table, is not complete yet. */
function withoutOpenTable(text: string): string {
  const lines = text.replace(/\n$/, "").split("\n");
  let first = lines.length;
  while (first > 0 && tableRow.test(lines[first - 1] ?? "")) first -= 1;
  const [header, delimiters] = lines.slice(first);
  if (header === undefined) return text;
  const cells = cellsOf(delimiters ?? "");
  const isTable = cells.every((cell) => delimiterCell.test(cell)) && cells.length === cellsOf(header).length;
  return isTable ? text : lines.slice(0, first).join("\n");
}

const hasOpenFence = (text: string): boolean => (text.match(/^[ \t]*(?:```|~~~)/gm)?.length ?? 0) % 2 === 1;

/**
 * A text that is still being written, without the marks whose end has not come: bold text is bold from its first letter, a
 * link is its label, and what may become a list or a table waits. No mark is ever shown as a symbol.
 */
function withoutOpenMarks(text: string): string {
  if (hasOpenFence(text)) return text.replace(/\n[ \t]*[`~]{1,2}$/, "");
  const known = withoutOpenTable(text);
  // Marks do not reach over a blank line.
  const from = Math.max(known.lastIndexOf("\n\n"), known.length - lastCharacters, 0);
  const closed = known.slice(from).replace(openLine, "").replace(lonelyMark, "$1").replace(openInline, "");
  return known.slice(0, from) + remend(closed, { linkMode: "text-only", setextHeadings: false });
}

const named: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00A0",
  hellip: "…",
  ndash: "–",
  mdash: "—",
  euro: "€",
};

/** The characters that entities stand for. Names that are not listed stay as they are written. */
function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return (Object.hasOwn(named, String(name)) && named[String(name)]) || whole;
    const code = decimal === undefined ? parseInt(String(hex), 16) : Number(decimal);
    return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
  });
}

const text = (written: string): Inline => ({ kind: "text", text: decoded(written) });

/** The address of a link whose label is the address itself. */
const addressLike = /^(?:https?:\/\/|www\.)\S+$/i;

function inline(token: Token): Inline[] {
  switch (token.type) {
    case "strong":
      return [{ kind: "strong", children: inlines(token.tokens) }];
    case "em":
      return [{ kind: "emphasis", children: inlines(token.tokens) }];
    case "del":
      return [{ kind: "deleted", children: inlines(token.tokens) }];
    case "codespan":
      return [{ kind: "code", text: (token as Tokens.Codespan).text }];
    case "br":
      return [{ kind: "break" }];
    case "link": {
      const { href, text: label, tokens } = token as Tokens.Link;
      const bare = addressLike.test(label.trim());
      return [{ kind: "link", href: decoded(href), bare, children: inlines(tokens) }];
    }
    case "image": {
      const { href, text: alt } = token as Tokens.Image;
      return [{ kind: "image", src: decoded(href), alt: decoded(alt) }];
    }
    case "escape":
      return [{ kind: "text", text: (token as Tokens.Escape).text }];
    case "checkbox":
      return [text((token as Tokens.Checkbox).checked ? "☑ " : "☐ ")];
    case "html":
      // What a model writes is never markup. Only a line break, which tables have no other sign for, is one.
      return /^<br\s*\/?>$/i.test(token.raw.trim()) ? [{ kind: "break" }] : [text(token.raw)];
    default:
      return "tokens" in token ? inlines(token.tokens) : [text(token.raw)];
  }
}

function inlines(tokens: readonly Token[] = []): Inline[] {
  return tokens.flatMap(inline);
}

function block(token: Token): Block[] {
  switch (token.type) {
    case "space":
    case "def":
      return [];
    case "heading":
      return [{ kind: "heading", level: (token as Tokens.Heading).depth, children: inlines(token.tokens) }];
    case "code":
      return [{ kind: "code", text: (token as Tokens.Code).text }];
    case "hr":
      return [{ kind: "rule" }];
    case "blockquote":
      return [{ kind: "quote", blocks: blocks(token.tokens) }];
    case "list": {
      const { ordered, start, items } = token as Tokens.List;
      return [
        {
          kind: "list",
          start: ordered ? Number(start) : null,
          items: items.map((item) => blocks(item.tokens)),
        },
      ];
    }
    case "table": {
      const { header, rows } = token as Tokens.Table;
      const cells = (row: Tokens.TableCell[]) => row.map((cell) => inlines(cell.tokens));
      return [{ kind: "table", header: cells(header), rows: rows.map(cells) }];
    }
    case "html":
      return [{ kind: "paragraph", children: [text(token.raw.trim())] }];
    default:
      return [{ kind: "paragraph", children: inline(token) }];
  }
}

/** Blocks of tokens. What a list item holds directly, its checkbox and its lines, is one paragraph. */
function blocks(tokens: readonly Token[] = []): Block[] {
  const found: Block[] = [];
  let boxes: Inline[] = [];
  for (const token of tokens) {
    if (token.type === "checkbox") {
      boxes = inline(token);
      continue;
    }
    const [first, ...rest] = block(token);
    if (!first) continue;
    if (boxes.length > 0 && first.kind === "paragraph")
      found.push({ ...first, children: [...boxes, ...first.children] }, ...rest);
    else found.push(first, ...rest);
    boxes = [];
  }
  return found;
}

/**
 * How many characters may be looked through for marks in lines: for each mark, those that follow it in its paragraph. An answer of
 * 5,000 characters needs 200,000.
 */
const maxLookups = 800_000;

/** What an address does not end with. The parser takes it off one by one, and reads the whole address again each time. */
const afterAddress = /(?:[?!.,:;*_'"~()&]|&\w{1,32};){8}$/;
/** So many last characters of an address are looked at. */
const addressEnd = 300;

/** Stops looking for marks after `maxLookups`: the rest of the paragraph is shown as it is written. */
class BoundedTokenizer extends Tokenizer {
  #lookups = 0;
  #headingLookups = 0;

  // Looks for the heading's underline in all that follows, which takes longer.
  override lheading(src: string): Tokens.Heading | undefined {
    this.#headingLookups += src.length;
    return this.#headingLookups > maxLookups / 2 ? undefined : super.lheading(src);
  }

  override url(src: string): Tokens.Link | undefined {
    const [address = ""] = /^(?:https?:|ftp:|www\.)[^\s<]*/i.exec(src) ?? [];
    return afterAddress.test(address.slice(-addressEnd)) ? undefined : super.url(src);
  }

  // The first that is asked in a line.
  override escape(src: string): Tokens.Escape | undefined {
    this.#lookups += src.length;
    return this.#lookups > maxLookups ? { type: "escape", raw: src, text: src } : super.escape(src);
  }
}

const mark = "(?:>|[-+*][ \\t]|\\d{1,9}[.)][ \\t])";
/** More marks of quotes and lists at the beginning of a line than anybody nests. */
const nestedMarks = new RegExp(`^((?:[ \\t]*${mark}){12})(?:[ \\t]*${mark})+`, "gm");

/** More spaces than anybody writes; the parser looks through them again for each of them. */
const manySpaces = /[ \t]{100,}/g;

/** So much of an answer is looked through for marks; the rest is shown as it is written. */
const maxCharacters = 16_000;

/** Lines that are not looked through for marks. */
function asWritten(lines: string): Block[] {
  if (lines.trim() === "") return [];
  const children = lines
    .trim()
    .split("\n")
    .flatMap((line): Inline[] => [{ kind: "break" }, { kind: "text", text: line }]);
  return [{ kind: "paragraph", children: children.slice(1) }];
}

/**
 * The blocks of a Markdown text (GFM; a single line end is a line break, as in messages). Never throws. Its time grows
 * with the length of the text only, whatever marks it is made of.
 *
 * @param isOpen the text is still being written, or was cut off: marks that are not closed yet are not shown as symbols
 */
export function parseMarkdown(written: string, isOpen = false): Block[] {
  const isLong = written.length > maxCharacters;
  const lineEnd = isLong ? written.lastIndexOf("\n", maxCharacters) : -1;
  const end = lineEnd > 0 ? lineEnd : maxCharacters;
  const read = written.slice(0, end);
  const whole = isOpen && !isLong ? withoutOpenMarks(read) : read;
  const flat = whole.replace(manySpaces, " ").replace(nestedMarks, "$1");
  const lexer = new Lexer({ gfm: true, breaks: true, tokenizer: new BoundedTokenizer() });
  return [...blocks(lexer.lex(flat)), ...asWritten(written.slice(end))];
}
