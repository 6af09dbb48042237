import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { withContract } from "../../scripts/element-docs.ts";
import { passedAttributes } from "../../src/embed/attributes.ts";
import { elementContract, namesWhere, type AttributeContract } from "../../src/protocol/element-contract.ts";
import { viewerCommands } from "../../src/protocol/viewer-message.ts";

/** The names of the attributes with a mark. */
const attributesWith = (mark: "loader" | "early" | "viewer"): string[] =>
  namesWhere<string, AttributeContract>(elementContract.attributes, (attribute) => attribute[mark] === true);

/** Prettier only widens the columns of tables. */
const withoutWidths = (docs: string): string =>
  docs.replace(/^\|.*$/gm, (row) => row.replace(/-{3,}/g, "---").replace(/ +/g, " "));

it("the docs have the names, types and details of the contract", () => {
  const docs = readFileSync("docs/element.md", "utf8");
  expect(withoutWidths(withContract(docs))).toBe(withoutWidths(docs));
});

it("the element has its name", () => {
  expect(elementContract.tagName).toBe("visavis-avatar");
});

it("each attribute is read where it says", () => {
  expect(attributesWith("loader").sort()).toEqual(passedAttributes.toSorted());
  expect(attributesWith("early")).toEqual(["prefetch"]);
  expect(attributesWith("viewer")).toEqual(["lang", "theme", "mode", "render", "transparent", "captions"]);
});

it("a page around the viewer may call every method but the one that takes a function", () => {
  const names = Object.keys(elementContract.methods);
  expect(viewerCommands).toEqual(names.filter((name) => name !== "registerTool"));
});
