import { elementContract } from "../src/protocol/element-contract.ts";

type Row = readonly string[];

const prefix = "visavis-";

const code = (text: string): string => `\`${text}\``;

/** A Markdown table; pipes in cells are escaped. */
function table(head: Row, rows: readonly Row[]): string {
  const line = (cells: Row): string => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** A union of strings as a list; other types as they are. */
const values = (type: string): string =>
  type.includes('"')
    ? type
        .split(" | ")
        .map((value) => code(value.slice(1, -1)))
        .join(", ")
    : type;

const { attributes, properties, methods, events, slots, cssParts, cssProperties } = elementContract;

/** The sections of the docs about the element's contract, by name. */
const sections: Readonly<Record<string, string>> = {
  attributes: table(
    ["Attribute", "Values", "Meaning", "Default"],
    Object.entries(attributes).map(([name, attribute]) => [
      code(name),
      values(attribute.type),
      attribute.description,
      "default" in attribute ? attribute.default : "",
    ]),
  ),
  methods: table(
    ["Method", "What it does"],
    Object.entries(methods).map(([name, { parameters, description }]) => [
      code(`${name}(${parameters.join(", ")})`),
      description,
    ]),
  ),
  properties: table(
    ["Property", "Meaning", ""],
    Object.entries(properties).map(([name, { readonly, description }]) => [
      code(name),
      description,
      readonly ? "read only" : "",
    ]),
  ),
  events: table(
    ["Event", "`detail`", "When"],
    Object.entries(events).map(([name, { detail, description }]) => [
      code(prefix + name),
      detail.length > 0 ? code(`{${detail.join(", ")}}`) : code("null"),
      description,
    ]),
  ),
  slots: table(
    ["Slot", "Meaning"],
    Object.entries(slots).map(([name, description]) => [code(name), description]),
  ),
  parts: table(
    ["Part", "What it is"],
    Object.entries(cssParts).map(([name, description]) => [code(name), description]),
  ),
  styles: table(
    ["CSS property", "Meaning"],
    Object.entries(cssProperties).map(([name, description]) => [code(name), description]),
  ),
};

/** The docs with each `<!-- contract: name -->` section generated from the contract. */
export function withContract(docs: string): string {
  return docs.replace(
    /(<!-- contract: (\w+) -->)[^]*?(<!-- \/contract -->)/g,
    (_, start: string, name: string, end: string) => {
      const section = sections[name];
      if (section === undefined) throw new Error(`The contract has no section "${name}".`);
      return `${start}\n\n${section}\n\n${end}`;
    },
  );
}
