/**
 * Writes the custom-elements manifest (github.com/webcomponents/custom-elements-manifest, schema 1.0.0) from the
 * element's docstring and its public members, for editors and catalogues.
 */
import { readFileSync, writeFileSync } from "node:fs";
import ts from "typescript";

const source = "src/widget/visavis-avatar.ts";
const module = "dist/package/element.js";
const target = "dist/package/custom-elements.json";

interface Tagged {
  name: string;
  description?: string;
  type?: { text: string };
}

const spaced = (text: string): string => text.replace(/\s*\n\s*/g, " ");

const commentOf = (comment: ts.JSDoc["comment"]): string | undefined => {
  const text = ts.getTextOfJSDocComment(comment);
  return text === undefined ? undefined : spaced(text);
};

/** The tags of one kind: `@tag {type} name - description`. */
function tagsOf(node: ts.Node, kind: string): Tagged[] {
  return ts
    .getJSDocTags(node)
    .filter(({ tagName }) => tagName.text === kind)
    .map(({ comment }) => {
      const parts = /^(?:\{([^}]+)\} )?(\S+)(?: - (.+))?$/.exec(commentOf(comment) ?? "");
      if (!parts) throw new Error(`${source}: @${kind} is not written as "{type} name - description".`);
      const [, type, name, description] = parts;
      const text = type?.includes("|") ? type.replace(/[^|]+/g, '"$&"').replaceAll("|", " | ") : type;
      return { name: name!, ...(text && { type: { text } }), ...(description && { description }) };
    });
}

/** What pages may call and read: neither private nor protected, and none of the platform's own. */
function isPublic(member: ts.ClassElement): member is ts.ClassElement & { name: ts.Identifier } {
  const hidden = ts.ModifierFlags.NonPublicAccessibilityModifier | ts.ModifierFlags.Override;
  return (
    member.name !== undefined &&
    ts.isIdentifier(member.name) &&
    (ts.getCombinedModifierFlags(member) & hidden) === 0
  );
}

function describe(member: ts.ClassElement & { name: ts.Identifier }, all: ts.NodeArray<ts.ClassElement>) {
  const name = member.name.text;
  const [docs] = ts.getJSDocCommentsAndTags(member).filter(ts.isJSDoc);
  const description = commentOf(docs?.comment);
  const isStatic = (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Static) !== 0;
  const common = { name, ...(description && { description }), ...(isStatic && { static: true }) };
  const typed = (type: ts.TypeNode | undefined) => (type ? { type: { text: spaced(type.getText()) } } : {});
  if (ts.isMethodDeclaration(member)) {
    const parameters = member.parameters.map(({ name: given, type }) => ({
      name: given.getText(),
      ...typed(type),
    }));
    return { kind: "method", ...common, parameters, return: typed(member.type) };
  }
  if (ts.isGetAccessor(member)) {
    const settable = all.some((other) => ts.isSetAccessor(other) && other.name.getText() === name);
    return { kind: "field", ...common, ...typed(member.type), ...(!settable && { readonly: true }) };
  }
  return ts.isPropertyDeclaration(member) ? { kind: "field", ...common, ...typed(member.type) } : null;
}

const file = ts.createSourceFile(source, readFileSync(source, "utf8"), ts.ScriptTarget.ES2022, true);
const element = file.statements.find(ts.isClassDeclaration);
if (!element?.name) throw new Error(`${source} declares no class.`);
const [docs] = ts.getJSDocCommentsAndTags(element).filter(ts.isJSDoc);
const reference = { name: element.name.text, module };

const manifest = {
  schemaVersion: "1.0.0",
  modules: [
    {
      kind: "javascript-module",
      path: module,
      declarations: [
        {
          kind: "class",
          name: element.name.text,
          tagName: "visavis-avatar",
          customElement: true,
          description: commentOf(docs?.comment),
          superclass: { name: "LitElement", package: "lit" },
          attributes: tagsOf(element, "attr"),
          members: element.members
            .filter(isPublic)
            .map((member) => describe(member, element.members))
            .filter((member) => member !== null),
          events: tagsOf(element, "event").map((event) => ({
            ...event,
            type: { text: `VisavisEventMap["${event.name}"]` },
          })),
          slots: tagsOf(element, "slot"),
          cssParts: tagsOf(element, "csspart"),
          cssProperties: tagsOf(element, "cssproperty"),
        },
      ],
      exports: [
        { kind: "custom-element-definition", name: "visavis-avatar", declaration: reference },
        { kind: "js", name: element.name.text, declaration: reference },
      ],
    },
  ],
};

writeFileSync(target, `${JSON.stringify(manifest, null, 2)}\n`);
