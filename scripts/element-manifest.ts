import { readFileSync } from "node:fs";
import { create, ts } from "@custom-elements-manifest/analyzer";
import type { Attribute, ClassDeclaration, CustomElement, Package } from "custom-elements-manifest/schema";
import { elementContract } from "../src/protocol/page/element-contract.ts";

const sources = ["src/widget/visavis-avatar.ts", "src/widget/panel/panel-element.ts"];
const className = "VisavisAvatar";

const described = (entries: Readonly<Record<string, string>>) =>
  Object.entries(entries).map(([name, description]) => ({ name, description }));

function attributesOf(): Attribute[] {
  return Object.entries(elementContract.attributes).map(([name, attribute]) => ({
    name,
    type: { text: attribute.type },
    description: attribute.description,
    ...("default" in attribute && { default: attribute.default }),
  }));
}

/** Adds the contract's descriptions to the analyzer's result, and removes members that are not in the contract. */
function withContract(declaration: ClassDeclaration): ClassDeclaration & CustomElement {
  const { tagName, description, methods, properties, events, slots, cssParts, cssProperties } =
    elementContract;
  const entries: Readonly<Record<string, { description: string }>> = { ...methods, ...properties };
  const members = (declaration.members ?? [])
    .filter(({ name }) => name in entries)
    .map((member) => ({ ...member, description: entries[member.name]?.description ?? "" }));
  return {
    kind: declaration.kind,
    name: declaration.name,
    customElement: true,
    tagName,
    description,
    superclass: { name: "LitElement", package: "lit" },
    attributes: attributesOf(),
    members,
    events: Object.entries(events).map(([name, event]) => ({
      name: `visavis-${name}`,
      type: { text: `VisavisEventMap["visavis-${name}"]` },
      description: event.description,
    })),
    slots: described(slots),
    cssParts: described(cssParts),
    cssProperties: described(cssProperties),
  };
}

/** The custom-elements manifest (schema 1.0.0) of the package, whose element is exported by `path`. */
export function elementManifest(path: string): Package {
  const modules = sources.map((source) =>
    ts.createSourceFile(source, readFileSync(source, "utf8"), ts.ScriptTarget.ES2022, true),
  );
  const analyzed = create({ modules, plugins: [], context: { dev: false } });
  const declaration = analyzed.modules
    .flatMap((module) => module.declarations ?? [])
    .find((found) => found.kind === "class" && found.name === className);
  if (declaration === undefined) throw new Error(`The analyzer has found no class ${className}.`);
  const reference = { name: className, module: path };
  return {
    schemaVersion: "1.0.0",
    modules: [
      {
        kind: "javascript-module",
        path,
        declarations: [withContract(declaration as ClassDeclaration)],
        exports: [
          { kind: "custom-element-definition", name: elementContract.tagName, declaration: reference },
          { kind: "js", name: className, declaration: reference },
        ],
      },
    ],
  };
}
