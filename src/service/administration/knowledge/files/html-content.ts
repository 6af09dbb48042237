import { closest, elementsBelow, type HtmlElement } from "./html-tree.ts";

/** Elements whose text does not belong to the page's content. */
const leftOut = new Set(
  "head script style noscript nav footer input select textarea datalist svg iframe object canvas audio video".split(
    " ",
  ),
);
/** Where buttons open menus and not answers. */
const menus = new Set(["nav", "header", "footer", "menu"]);
const headings = new Set(["h1", "h2", "h3", "h4", "h5", "h6"]);
const forms = new Set(["form"]);
const titles = new Set([...headings, "summary", "dt"]);

/** Text in these is not shown at once, and yet meant for everybody. */
const panelRoles = new Set(["tabpanel", "region"]);

const asks = /[?？]\s*$/;
const hides = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;

/** The longest title that is looked at. */
const titleMaxCharacters = 300;

/** The text of an element without marks, as far as it matters for a title. */
export function shortText(element: HtmlElement): string {
  let text = "";
  const waiting: (HtmlElement | string)[] = [element];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === "string") text += next;
    else if (!leftOut.has(next.name)) waiting.push(...next.children.slice(0, titleMaxCharacters).reverse());
    if (text.length > titleMaxCharacters) break;
  }
  return text.replace(/\s+/g, " ").trim();
}

const isButton = ({ name, attributes }: HtmlElement): boolean =>
  name === "button" || attributes["role"] === "button" || attributes["role"] === "tab";

const opens = ({ attributes }: HtmlElement): boolean =>
  ("aria-controls" in attributes || "aria-expanded" in attributes) && !("aria-haspopup" in attributes);

/** What follows an element, or the element that it alone is in. */
function following(element: HtmlElement): HtmlElement | undefined {
  let one = element;
  while (one.next === null && one.previous === null && one.parent !== null) one = one.parent;
  return one.next ?? undefined;
}

/** What of a page is its content, also where a click must show it first. */
export class HtmlContent {
  readonly #byId = new Map<string, HtmlElement>();
  /** What opens each panel. */
  readonly #openers = new Map<HtmlElement, HtmlElement>();
  /** What is written as the title of its panel, because it stands in no heading. */
  readonly #titles = new Set<HtmlElement>();

  constructor(root: HtmlElement) {
    const elements = elementsBelow(root);
    for (const element of elements) this.#byId.set(element.attributes["id"] ?? "", element);
    for (const element of elements) {
      const panel = this.#panelOf(element);
      if (!panel || this.#openers.has(panel)) continue;
      this.#openers.set(panel, element);
      if (closest(element, titles) === null && !titles.has(element.name)) this.#titles.add(element);
    }
  }

  /** What somebody opens with an element: its next one, or the one that it names. Undefined where it does something else. */
  #panelOf(element: HtmlElement): HtmlElement | undefined {
    const { attributes } = element;
    const id = attributes["aria-controls"] ?? attributes["data-bs-target"]?.slice(1);
    const isOpener = isButton(element) || opens(element) || id !== undefined;
    if (!isOpener || "aria-haspopup" in attributes || closest(element, menus) !== null) return undefined;
    const named = id === undefined || id === "" ? undefined : this.#byId.get(id);
    if (named) return named.attributes["role"] === "dialog" ? undefined : named;
    const title = closest(element, titles);
    const isClickable = isButton(element) || element.name === "a";
    const isTitle = title !== null || opens(element) || asks.test(shortText(element));
    return isClickable && isTitle ? following(title ?? element) : undefined;
  }

  /** The title of a panel that stands in no heading; null: there is none. */
  titleOf(panel: HtmlElement): string | null {
    const opener = this.#openers.get(panel);
    return opener !== undefined && this.#titles.has(opener) ? shortText(opener) : null;
  }

  /** Whether something on the page opens an element. */
  isOpened(element: HtmlElement): boolean {
    return this.#openers.has(element);
  }

  /** Whether a hidden element is only closed: something on the page opens it. */
  #isPanel(element: HtmlElement): boolean {
    if (this.isOpened(element) || panelRoles.has(element.attributes["role"] ?? "")) return true;
    const { previous: title } = element;
    return title !== null && (headings.has(title.name) || asks.test(shortText(title)));
  }

  #isHidden(element: HtmlElement): boolean {
    const { hidden, style = "", "aria-hidden": ariaHidden } = element.attributes;
    if (hidden?.toLowerCase() === "until-found") return false;
    const isDecoration = ariaHidden === "true" && element.name !== "section" && element.name !== "article";
    const isHidden = hidden !== undefined || isDecoration || hides.test(style);
    return isHidden && !this.#isPanel(element);
  }

  /** Whether nothing of an element is read. */
  leavesOut(element: HtmlElement): boolean {
    const { name, attributes } = element;
    if (leftOut.has(name)) return true;
    if (name === "template") return !("shadowrootmode" in attributes);
    if (name === "dialog") return !("open" in attributes);
    if (name === "label") return closest(element, forms) !== null && !asks.test(shortText(element));
    if (this.#titles.has(element)) return true;
    if (isButton(element) && !this.#isTitle(element)) return true;
    return this.#isHidden(element);
  }

  /** Whether a button is the title of what it opens, inside a heading. Others are named where their panel is. */
  #isTitle(button: HtmlElement): boolean {
    const title = closest(button, titles);
    return title !== null && (opens(button) || shortText(title) === shortText(button));
  }
}
