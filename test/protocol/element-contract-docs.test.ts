import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { AttributeContract } from "../../src/protocol/page/element-contract.ts";

/** Loaded in each test, so that a mutant with which a module cannot be loaded fails a test. */
const contractModule = () => import("../../src/protocol/page/element-contract.ts");

it("the docs have the names, types and details of the contract", async () => {
  const { withContract } = await import("../../scripts/element-docs.ts");
  const docs = readFileSync("docs/element.md", "utf8");
  expect(withContract(docs)).toBe(docs);
});

it("each attribute is read where it says", async () => {
  const { elementContract, namesWhere } = await contractModule();
  const attributesWith = (mark: "loader" | "early" | "viewer"): string[] =>
    namesWhere<string, AttributeContract>(
      elementContract.attributes,
      (attribute) => attribute[mark] === true,
    );
  expect(attributesWith("early")).toEqual(["prefetch"]);
  expect(attributesWith("viewer")).toEqual(["lang", "theme", "mode", "render", "transparent", "captions"]);
});

it("a page around the viewer may call every method but the one that takes a function", async () => {
  const { elementContract } = await contractModule();
  const { viewerCommands } = await import("../../src/protocol/page/viewer-message.ts");
  const names = Object.keys(elementContract.methods);
  expect(viewerCommands).toEqual(names.filter((name) => name !== "registerTool"));
});
