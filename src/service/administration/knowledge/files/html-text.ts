import { HtmlContent } from "./html-content.ts";
import { elementsBelow, htmlTree, textIn, type HtmlElement } from "./html-tree.ts";
import { htmlTable } from "./html-table.ts";

/** What a page says. */
export interface HtmlText {
  title: string;
  /** Markdown: headings, paragraphs, list items, tables, code. */
  text: string;
}

/** Elements that begin and end a paragraph. */
const blocks = new Set(
  "address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure form header hr legend li main ol optgroup p search section summary table tbody td tfoot th thead tr ul".split(
    " ",
  ),
);
/** What stands in these belongs together line by line, as in addresses and in opening hours. */
const tight = new Set(["address", "dl"]);

/** The deepest nesting that is followed. Deeper text is left out. */
const maxDepth = 500;
const deepestHeading = 6;
/** A longer paragraph in bold letters is not a heading. */
const boldHeadingMaxCharacters = 100;

const spaced = (text: string): string => text.replace(/\s+/g, " ").trim();
const asks = (text: string): boolean => /[?？]$/.test(text);

/** Reads a page's tree into Markdown. */
class HtmlReader {
  readonly #content: HtmlContent;
  #text = "";
  #line = "";
  #prefix = "";
  /** Whether the next line belongs to the one before. */
  #isTight = false;
  /** What was asked is answered: what follows needs a line between, unless a heading follows. */
  #isAnswered = false;
  #level = 1;
  /** The term of a list of definitions that waits for its definition. */
  #term = "";
  /** Whether a term of the list was a question. */
  #hasAsked = false;

  constructor(root: HtmlElement) {
    this.#content = new HtmlContent(root);
    this.#readChildren(root, 0);
    this.#endLine();
  }

  get text(): string {
    return this.#text;
  }

  #write(text: string, { isTight = false, isHeading = false } = {}): void {
    if (this.#isAnswered && !isHeading) this.#text += "\n\n---";
    if (this.#text !== "") this.#text += isTight && !this.#isAnswered ? "\n" : "\n\n";
    this.#isAnswered = false;
    this.#text += text;
  }

  #endLine(): void {
    const text = spaced(this.#line);
    this.#line = "";
    if (text === "") return;
    const term = this.#term === "" ? "" : `${this.#term}: `;
    this.#term = "";
    this.#write(`${this.#prefix}${term}${text}`, { isTight: this.#isTight });
    this.#prefix = "";
    this.#isTight = false;
  }

  #heading(level: number, text: string): void {
    this.#endLine();
    this.#prefix = "";
    if (text === "") return;
    this.#write(`${"#".repeat(level)} ${text}`, { isHeading: true });
    this.#isTight = false;
  }

  /** A title that is no heading of the page: what it opens is below it. */
  #title(text: string): void {
    this.#heading(Math.min(deepestHeading, this.#level + 1), text);
  }

  #inlineText(element: HtmlElement, depth = 0): string {
    let text = "";
    for (const child of element.children)
      if (typeof child === "string") text += child;
      else if (child.name === "br") text += " ";
      else if (depth < maxDepth && !this.#content.leavesOut(child)) {
        const edge = blocks.has(child.name) ? " " : "";
        text += edge + this.#inlineText(child, depth + 1) + edge;
      }
    return depth === 0 ? spaced(text) : text;
  }

  #readChildren(element: HtmlElement, depth: number): void {
    for (const child of element.children)
      if (typeof child === "string") this.#line += child;
      else if (depth < maxDepth && !this.#content.leavesOut(child)) this.#read(child, depth + 1);
  }

  #read(element: HtmlElement, depth: number): void {
    const { name } = element;
    const level = /^h[1-6]$/.test(name) ? Number(name.slice(1)) : null;
    const title = this.#content.titleOf(element);
    if (title !== null) this.#title(title);
    if (level !== null) {
      this.#level = level;
      this.#heading(level, this.#inlineText(element));
    } else if (name === "summary") this.#title(this.#inlineText(element));
    else if (name === "br") this.#break();
    else if (name === "pre") this.#readCode(element);
    else if (!blocks.has(name)) this.#readChildren(element, depth);
    else this.#readBlock(element, depth);
    if (name === "details" || this.#content.isOpened(element)) {
      this.#endLine();
      this.#isAnswered = true;
    }
  }

  #break(): void {
    const isLine = spaced(this.#line) !== "";
    this.#endLine();
    this.#isTight = isLine;
  }

  #readBlock(element: HtmlElement, depth: number): void {
    const { name } = element;
    this.#endLine();
    if (name !== "dd") {
      const isPart = element.parent !== null && tight.has(element.parent.name);
      this.#isTight = element.previous === null ? this.#isTight && !isPart : isPart;
    }
    const table = name === "table" ? this.#tableOf(element) : null;
    const bold = name === "p" || name === "div" ? this.#boldHeading(element) : null;
    if (table !== null) this.#write(table);
    else if (bold !== null) this.#write(`**${bold}**`, { isHeading: true });
    else if (name === "dt") this.#readTerm(element);
    else {
      if (name === "li") this.#beginItem(element);
      this.#readChildren(element, depth);
      this.#endLine();
      if (name === "li") this.#prefix = "";
      if (name === "dl") this.#endTerms();
    }
    if (name !== "dt") this.#isTight = false;
  }

  #beginItem({ parent, previous, attributes }: HtmlElement): void {
    this.#prefix = "- ";
    this.#isTight = previous !== null || parent?.parent?.name === "li";
    if (parent?.name !== "ol") return;
    const number = Number.parseInt(attributes["value"] ?? "", 10);
    const counted = this.#numbers.get(parent) ?? (Number.parseInt(parent.attributes["start"] ?? "", 10) || 1);
    const own = Number.isNaN(number) ? counted : number;
    this.#numbers.set(parent, own + 1);
    this.#prefix = `${own}. `;
  }

  /** The number of each list's next item. */
  readonly #numbers = new WeakMap<HtmlElement, number>();

  #readTerm(element: HtmlElement): void {
    const text = this.#inlineText(element);
    if (!asks(text)) this.#term = this.#term === "" ? text : `${this.#term}, ${text}`;
    else {
      this.#title(text);
      this.#hasAsked = true;
    }
  }

  #endTerms(): void {
    this.#line = this.#term;
    this.#term = "";
    this.#endLine();
    if (this.#hasAsked) this.#isAnswered = true;
    this.#hasAsked = false;
  }

  /** A table whose cells contain no other one. */
  #tableOf(element: HtmlElement): string | null {
    if (elementsBelow(element).some(({ name }) => name === "table")) return null;
    return htmlTable(element, (cell) => this.#inlineText(cell));
  }

  /** What editors write as a heading without saying so: a paragraph that is bold as a whole, and no sentence. */
  #boldHeading(element: HtmlElement): string | null {
    const children = element.children.filter((child) => typeof child !== "string" || spaced(child) !== "");
    const [only] = children;
    if (children.length !== 1 || only === undefined || typeof only === "string") return null;
    if (only.name !== "strong" && only.name !== "b") return null;
    const text = this.#inlineText(only);
    return text === "" || text.length > boldHeadingMaxCharacters || /[.!:,;。]$/.test(text) ? null : text;
  }

  #readCode(element: HtmlElement): void {
    this.#endLine();
    const code = textIn(element).replace(/^\n+/, "").trimEnd();
    if (code.trim() !== "") this.#write(`\`\`\`\n${code}\n\`\`\``);
  }
}

/** Reads the text of a page as Markdown. No script of the page runs, and no address in it is requested. */
export function htmlText(html: string): HtmlText {
  const root = htmlTree(html);
  const title = elementsBelow(root).find(({ name, parent }) => name === "title" && parent?.name !== "svg");
  const words = title?.children.filter((child) => typeof child === "string").join("") ?? "";
  return { title: spaced(words), text: new HtmlReader(root).text };
}
