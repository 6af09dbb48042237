import { Lexer, type Token, type Tokens } from "marked";
import type { Block, Inline } from "./markdown-block.ts";
import { withoutOpenMarks } from "./open-marks.ts";

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
 * The blocks of a Markdown text (GFM; a single line end is a line break, as in messages). Never throws.
 *
 * @param isOpen the text is still being written, or was cut off: marks that are not closed yet are not shown as symbols
 */
export function parseMarkdown(written: string, isOpen = false): Block[] {
  const whole = isOpen ? withoutOpenMarks(written) : written;
  return blocks(new Lexer({ gfm: true, breaks: true }).lex(whole));
}
