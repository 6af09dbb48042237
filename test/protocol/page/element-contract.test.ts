// @vitest-environment happy-dom
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { format, type FormatConfig } from "oxfmt";
import { expect, expectTypeOf, it } from "vitest";
import { withContract } from "../../../scripts/element-docs.ts";
import { standIn } from "../../../src/embed/stand-in.ts";
import { elementContract } from "../../../src/protocol/page/element-contract.ts";
import { placementSchema, variantSchema } from "../../../src/protocol/settings/embed-config.ts";
import { viewerCommands } from "../../../src/protocol/page/viewer-message.ts";
import type { VisavisEventMap } from "../../../src/widget/session/element-events.ts";
import { VisavisAvatar } from "../../../src/widget/visavis-avatar.ts";

const { attributes, cssParts, cssProperties, methods, properties, slots } = elementContract;
const sorted = (names: Iterable<string>): string[] => [...new Set(names)].sort();
const union = (values: readonly string[]): string => values.map((value) => `"${value}"`).join(" | ");

/** The first group of each match in the files of a folder whose names have the ending. */
function matchesIn(pattern: RegExp, folder: string, ending: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => file.endsWith(ending))
    .map((file) => readFileSync(join(folder, file), "utf8"))
    .flatMap((source) => [...source.matchAll(pattern)].map((match) => match[1]!));
}

it("the class has the methods and properties of the contract, and no others", () => {
  const own = Object.entries(Object.getOwnPropertyDescriptors(VisavisAvatar.prototype)).filter(
    ([name]) => !["constructor", "attributeChangedCallback", "makeSession", "sessionOptions"].includes(name),
  );
  const functions = own.filter(([, { value }]) => typeof value === "function");
  const accessors = own.filter(([, { get }]) => get !== undefined);
  expect(
    Object.fromEntries(functions.map(([name, { value }]) => [name, (value as () => void).length])),
  ).toEqual(
    Object.fromEntries(Object.entries(methods).map(([name, { parameters }]) => [name, parameters.length])),
  );
  expect(Object.fromEntries(accessors.map(([name, { set }]) => [name, set === undefined]))).toEqual(
    Object.fromEntries(Object.entries(properties).map(([name, { readonly }]) => [name, readonly])),
  );
});

it("the class observes the attributes of the contract, but for the loader's own, and no others", () => {
  customElements.define("visavis-avatar", VisavisAvatar);
  const observed = Object.entries(attributes).filter(([, attribute]) => !("early" in attribute));
  expect(sorted(VisavisAvatar.observedAttributes)).toEqual(sorted(observed.map(([name]) => name)));
});

it("the values of attributes are those of the owner's settings", () => {
  expect(attributes.variant.type).toBe(union(variantSchema.options));
  expect(attributes.placement.type).toBe(union(placementSchema.options));
});

it("the payloads of events are those of the contract", () => {
  type Events = (typeof elementContract)["events"];
  type FieldsOf<Detail> = Detail extends null
    ? never
    : {
        [Name in keyof Detail & string]-?: object extends Pick<Detail, Name> ? `${Name}?` : Name;
      }[keyof Detail & string];
  expectTypeOf<keyof VisavisEventMap>().toEqualTypeOf<`visavis-${keyof Events}`>();
  expectTypeOf<{
    [Name in keyof Events]: FieldsOf<VisavisEventMap[`visavis-${Name}`]["detail"]>;
  }>().toEqualTypeOf<{ [Name in keyof Events]: Events[Name]["detail"][number] }>();
});

it("the loader's stand-in has the contract's methods and properties", () => {
  const element = document.createElement("div");
  standIn(element, () => Promise.resolve());
  expect(sorted(Object.keys(element).filter((name) => name in methods || name in properties))).toEqual(
    sorted([...Object.keys(methods), ...Object.keys(properties)]),
  );
});

it("a parent of the viewer may call every method except those that take functions of the page", () => {
  expect(sorted(viewerCommands)).toEqual(
    sorted(Object.keys(methods).filter((name) => name !== "registerTool")),
  );
});

it("parts, slots and style properties exist as the contract says", () => {
  const parts = [
    ...matchesIn(/\bpart="([\w-]+)"/g, "src/widget", ".ts"),
    ...matchesIn(/\bpart: "([\w-]+)"/g, "src/embed", ".ts"),
    ...matchesIn(/setAttribute\("part", "([\w-]+)"\)/g, "src/widget", ".ts"),
  ];
  expect(sorted(parts)).toEqual(sorted(Object.keys(cssParts)));
  expect(sorted(matchesIn(/<slot name="(\w+)"/g, "src/widget", ".ts"))).toEqual(sorted(Object.keys(slots)));
  const used = matchesIn(/var\((--visavis-[\w-]+)/g, "src/widget/styles", ".css");
  expect(used).toEqual(expect.arrayContaining(Object.keys(cssProperties)));
});

it("the docs list what the contract lists (npm run docs:element)", async () => {
  const path = "docs/element.md";
  const docs = readFileSync(path, "utf8");
  const options = JSON.parse(readFileSync(".oxfmtrc.json", "utf8")) as FormatConfig;
  expect((await format(path, withContract(docs), options)).code).toBe(docs);
});
