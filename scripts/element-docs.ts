import { elementContract } from "../src/protocol/page/element-contract.ts";

const prefix = "visavis-";

const code = (text: string): string => `\`${text}\``;

/** A Markdown list of names with what is said of each. */
const list = (entries: readonly (readonly [head: string, meaning: string])[]): string =>
  entries.map(([head, meaning]) => `- ${head}: ${meaning}`).join("\n");

/** Names with their descriptions, as a list. */
const described = (entries: Readonly<Record<string, string>>): string =>
  list(Object.entries(entries).map(([name, meaning]) => [code(name), meaning]));

/** A union of strings as a list; other types as they are. */
const values = (type: string): string =>
  type.includes('"')
    ? type
        .split(" | ")
        .map((value) => code(value.slice(1, -1)))
        .join(", ")
    : type;

const { attributes, properties, methods, events, slots, cssParts, cssProperties } = elementContract;

/** An attribute's default; the page says once that the owner's setting goes before it. */
function defaultOf(standard: string): string {
  const own = standard.replace(/^the owner's setting(?:, then )?/, "");
  return own === "" ? "" : ` Default: ${own}.`;
}

/** The sections of the docs about the element's contract, by name. */
const sections: Readonly<Record<string, string>> = {
  attributes: list(
    Object.entries(attributes).map(([name, attribute]) => [
      `${code(name)} (${values(attribute.type)})`,
      attribute.description + ("default" in attribute ? defaultOf(attribute.default) : ""),
    ]),
  ),
  methods: list(
    Object.entries(methods).map(([name, { parameters, description }]) => [
      code(`${name}(${parameters.join(", ")})`),
      description,
    ]),
  ),
  properties: list(
    Object.entries(properties).map(([name, { readonly, description }]) => [
      code(name) + (readonly ? " (read only)" : ""),
      description,
    ]),
  ),
  events: list(
    Object.entries(events).map(([name, { detail, description }]) => [
      code(prefix + name) + (detail.length > 0 ? ` ${code(`{${detail.join(", ")}}`)}` : ""),
      description,
    ]),
  ),
  slots: described(slots),
  parts: described(cssParts),
  styles: described(cssProperties),
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
