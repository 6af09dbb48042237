/** A place of a template that a value goes into, as Lit keeps it; `index` counts elements and comments in their order. */
interface TemplatePart {
  /** 1: an attribute, 2: a child, 6: the element itself. */
  type: 1 | 2 | 6;
  index: number;
  name?: string | undefined;
  strings?: string[];
  ctor?: unknown;
}

/** What Lit makes instances of. */
interface DomTemplate {
  el: { content: DocumentFragment };
  parts: TemplatePart[];
}

/** Stands for a value; no template holds it otherwise. */
const gap = "\0";
/** A value, a tag with its attributes, or text. */
// eslint-disable-next-line regexp/no-super-linear-backtracking -- only our own templates
const pieces = /\0|<(\/)?([\w-]+)((?:"[^"]*"|[^">])*)>|[^<\0]+/g;
const attributes = /([^\s"=/]+)(?:=(?:"([^"]*)"|([^\s"/]+)))?/g;

/** Without a window, so that no custom element comes to life before it is copied into the page. */
const inert = new Document();

/**
 * Makes a template's nodes one by one, where Lit would set `innerHTML`: a page that requires Trusted Types allows no markup
 * without a policy, and may allow no policy. Reads what our own templates are made of: elements that are closed (or end in
 * `/>`), attributes in double quotes or none, text without character references. `kinds` are Lit's attribute parts, by the
 * sign before the attribute's name.
 */
export function domTemplate(strings: TemplateStringsArray, kinds: Record<string, unknown>): DomTemplate {
  // Data that only looks like a template has come from somewhere else.
  if (!Object.hasOwn(strings, "raw")) throw new Error("Not a template.");
  const parts: TemplatePart[] = [];
  const content = inert.createDocumentFragment();
  let parent: DocumentFragment | Element = content;
  let index = 0;
  for (const [text, isEnd, tag, given = ""] of strings.join(gap).matchAll(pieces)) {
    if (isEnd) parent = parent.parentNode as typeof parent;
    else if (tag) {
      const inherited: string = (parent as Partial<Element>).namespaceURI ?? "http://www.w3.org/1999/xhtml";
      const element: Element = inert.createElementNS(
        tag === "svg" ? "http://www.w3.org/2000/svg" : inherited,
        tag,
      );
      for (const [, key = "", quoted, bare = ""] of given.matchAll(attributes)) {
        const value = quoted ?? bare;
        const sign = /^[.?@]/.test(key) ? key.charAt(0) : "";
        const name = key.slice(sign.length);
        if (key === gap) parts.push({ type: 6, index });
        else if (!value.includes(gap)) element.setAttribute(key, value);
        else parts.push({ type: 1, index, name, strings: value.split(gap), ctor: kinds[sign] });
      }
      index++;
      parent.append(element);
      if (!given.endsWith("/")) parent = element;
    } else if (text === gap) {
      parts.push({ type: 2, index: index++ });
      parent.append(inert.createComment(""));
    } else parent.append(text);
  }
  // A value at the end needs a node after it: without one, Lit takes everything that follows in the page for the value's own.
  if (!strings.at(-1)) content.append(inert.createComment(""));
  return { el: { content }, parts };
}
