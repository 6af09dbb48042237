// @vitest-environment happy-dom
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { domTemplate } from "../../src/widget/dom-template.ts";

const source = join(import.meta.dirname, "../../src");
const gap = "\0";

/** The texts of a template between its values. */
function textsOf(template: ts.TemplateLiteral): string[] {
  if (ts.isNoSubstitutionTemplateLiteral(template)) return [template.text];
  return [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)];
}

/** Every template of a file: the name of its tag, and its texts. */
function templatesOf(file: string): { tag: string; texts: string[] }[] {
  const found: { tag: string; texts: string[] }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node))
      found.push({ tag: node.tag.getText(), texts: textsOf(node.template) });
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.ES2022, true));
  return found;
}

const files = ["widget", "viewer", "demo"]
  .flatMap((folder) =>
    readdirSync(join(source, folder), { recursive: true, encoding: "utf8" }).map((name) =>
      join(source, folder, name),
    ),
  )
  .filter((name) => name.endsWith(".ts"));
const templates = files.flatMap((file) =>
  templatesOf(file).map(({ tag, texts }, index) => ({
    place: `${file.slice(source.length)} ${index}`,
    tag,
    texts,
  })),
);

const kinds = { "": "attribute", ".": "property", "?": "boolean", "@": "event" };
const stringsOf = (texts: readonly string[]) => Object.assign([...texts], { raw: texts });

/**
 * The template as markup, without its bound attributes and with comments in place of its children. A value at the end is
 * followed by one more comment, as in Lit's own templates.
 */
function markupOf(texts: readonly string[]): string {
  return texts
    .join(gap)
    .replaceAll(/\s[^\s"=]+=(?:"[^"]*\0[^"]*"|\0)/g, "")
    .replaceAll(/(<[^>]*)\s\0/g, "$1")
    .replaceAll(gap, "<!---->")
    .concat(texts.at(-1) ? "" : "<!---->");
}

function nodesOf(parent: Node): unknown[] {
  return [...parent.childNodes].map((node) => {
    if (!(node instanceof Element)) return [node.nodeType, node.textContent];
    const attributes = node.getAttributeNames().map((name) => [name, node.getAttribute(name)]);
    return [node.localName, node.namespaceURI, attributes, nodesOf(node)];
  });
}

/** The nodes that an HTML parser makes of the markup. */
function parsed(markup: string): unknown[] {
  const template = document.createElement("template");
  template.innerHTML = markup;
  return nodesOf(template.content);
}

describe("the widget's own templates", () => {
  test("are all of the only supported kind, and there are many", () => {
    expect(new Set(templates.map(({ tag }) => tag))).toEqual(new Set(["html"]));
    expect(templates.length).toBeGreaterThan(50);
  });

  test.each(templates)(
    "$place gives the nodes that an HTML parser gives, with a part for each value",
    ({ texts }) => {
      const { el, parts } = domTemplate(stringsOf(texts), kinds);
      expect(nodesOf(el.content)).toEqual(parsed(markupOf(texts)));
      const values = parts.reduce((sum, { strings }) => sum + (strings ? strings.length - 1 : 1), 0);
      expect(values).toBe(texts.length - 1);
      // No elements for which nodes and plain attributes are not enough.
      expect(texts.join("")).not.toMatch(/&[a-z#][a-z0-9]*;|<!--|<script|='/i);
    },
  );
});

test("a value at the end of a template has a node after it, which ends what is drawn for the value", () => {
  const { el, parts } = domTemplate(stringsOf(["<p></p>", ""]), kinds);
  expect(parts).toEqual([{ type: 2, index: 1 }]);
  expect([...el.content.childNodes].map(({ nodeName }) => nodeName)).toEqual(["P", "#comment", "#comment"]);
});

test("attributes, properties, booleans, events, elements and children become Lit's parts in the order of their nodes", () => {
  const { el, parts } = domTemplate(
    stringsOf([
      '<p class="a ',
      ' b" ?hidden=',
      " .lang=",
      "><b @click=",
      " ",
      ">",
      '</b>text</p><img alt="" src=',
      " />",
    ]),
    kinds,
  );
  expect(parts).toEqual([
    { type: 1, index: 0, name: "class", strings: ["a ", " b"], ctor: "attribute" },
    { type: 1, index: 0, name: "hidden", strings: ["", ""], ctor: "boolean" },
    { type: 1, index: 0, name: "lang", strings: ["", ""], ctor: "property" },
    { type: 1, index: 1, name: "click", strings: ["", ""], ctor: "event" },
    { type: 6, index: 1 },
    { type: 2, index: 2 },
    { type: 1, index: 3, name: "src", strings: ["", ""], ctor: "attribute" },
  ]);
  expect(nodesOf(el.content)).toEqual(parsed('<p><b><!----></b>text</p><img alt="">'));
});

test("data that looks like a template is refused, because it could contain markup", () => {
  const forged = JSON.parse('["<img src=x onerror=alert(1)>"]') as unknown as TemplateStringsArray;
  expect(() => domTemplate(forged, kinds)).toThrow("Not a template");
});
