// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { elementContract } from "../../../src/protocol/page/element-contract.ts";
import { attributeFaults } from "../../../src/widget/settings/attribute-check.ts";

function elementWith(attributes: Record<string, string>): Element {
  const element = document.createElement("div");
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

const faultsOf = (attributes: Record<string, string>): string[] =>
  attributeFaults(elementWith({ "context-id": "ctx_demo", ...attributes }));

/** The values that the contract allows for an attribute of its own values. */
const allowed = Object.entries(elementContract.attributes).flatMap(([name, { type }]) => {
  const values = [...type.matchAll(/"([^"]+)"/g)].map(([, value = ""]) => value);
  return values.length > 0 ? [{ name, values }] : [];
});

it.each(allowed)("names the values of $name where another one is set", ({ name, values }) => {
  expect(values.flatMap((value) => faultsOf({ [name]: value }))).toEqual([]);
  expect(faultsOf({ [name]: "Sideways" })).toEqual([
    expect.stringMatching(`^${name}="Sideways" is unknown: use ${values.join(", ")}$`),
  ]);
});

it("capitals and spaces are not the value", () => {
  expect(faultsOf({ variant: "Inline", theme: " dark " })).toHaveLength(2);
});

it.each([
  ["padding-left", "-1", "1.5", "a number from -1 to 1"],
  ["padding-top", "0", "x", "a number from 0 to 1"],
  ["padding-height", "5", " ", "a number from 0 to 5"],
])("says the range of %s", (name, right, wrong, possible) => {
  expect(faultsOf({ [name]: right })).toEqual([]);
  expect(faultsOf({ [name]: wrong })).toEqual([`${name}="${wrong}" is unknown: use ${possible}`]);
});

it("a language is a tag, also with an underscore", () => {
  expect(["", "de", "pt-BR", "zh_CN"].flatMap((lang) => faultsOf({ lang }))).toEqual([]);
  expect(faultsOf({ lang: "english (US)" })).toEqual([
    'lang="english (US)" is unknown: use a language such as en or pt-BR',
  ]);
});

it("says that the context is missing", () => {
  expect(attributeFaults(elementWith({}))).toEqual(["context-id is missing"]);
  expect(faultsOf({ "context-id": " " })).toEqual(["context-id is missing"]);
});
