import { parseMarkup } from "./parse-markup.ts";

/** An element of a page, with what is in it in order. */
export interface HtmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: (HtmlElement | string)[];
  readonly parent: HtmlElement | null;
  /** The elements beside it; null: none. */
  readonly previous: HtmlElement | null;
  next: HtmlElement | null;
}

const newElement = (
  name: string,
  attributes: HtmlElement["attributes"],
  parent: HtmlElement | null = null,
): HtmlElement => ({
  ...{ name, attributes, children: [], parent, next: null },
  previous: parent?.children.findLast((child) => typeof child !== "string") ?? null,
});

/** Reads a page into a tree. Elements that are not closed end with those around them. */
export function htmlTree(html: string): HtmlElement {
  const root = newElement("", {});
  let open = root;
  parseMarkup(html, {
    onopentag(name, attributes) {
      const element = newElement(name, attributes, open);
      if (element.previous) element.previous.next = element;
      open.children.push(element);
      open = element;
    },
    ontext(text) {
      open.children.push(text);
    },
    onclosetag() {
      open = open.parent ?? root;
    },
  });
  return root;
}

/** The elements directly in one. */
export const elementsIn = ({ children }: HtmlElement): HtmlElement[] =>
  children.filter((child) => typeof child !== "string");

/** All elements in one, in order. */
export function elementsBelow(element: HtmlElement): HtmlElement[] {
  const found: HtmlElement[] = [];
  const waiting = elementsIn(element).reverse();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    found.push(next);
    const { children } = next;
    for (let at = children.length - 1; at >= 0; at--) {
      const child = children[at];
      if (child !== undefined && typeof child !== "string") waiting.push(child);
    }
  }
  return found;
}

/** All text in an element, as it stands there. */
export const textIn = ({ children }: HtmlElement): string =>
  children.map((child) => (typeof child === "string" ? child : textIn(child))).join("");

/** The closest of these elements around one; null: it stands in none. */
export function closest(element: HtmlElement, names: ReadonlySet<string>): HtmlElement | null {
  for (let one = element.parent; one !== null; one = one.parent) if (names.has(one.name)) return one;
  return null;
}
