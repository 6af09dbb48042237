import type { ClassDeclaration, CustomElement, Package } from "custom-elements-manifest/schema";

/** The data from which the framework types are generated. */
interface Element {
  readonly tag: string;
  readonly attributes: readonly { name: string; type: string; description: string }[];
  readonly events: readonly { name: string; type: string; description: string }[];
}

function elementOf(manifest: Package): Element {
  const declaration = manifest.modules[0]?.declarations?.[0] as
    | (ClassDeclaration & CustomElement)
    | undefined;
  if (!declaration?.tagName) throw new Error("The manifest describes no element.");
  const entries = (list: readonly { name: string; type?: { text: string }; description?: string }[] = []) =>
    list.map(({ name, type, description = "" }) => ({ name, type: type?.text ?? "string", description }));
  return {
    tag: declaration.tagName,
    // The frameworks already have types for the platform's own attributes.
    attributes: entries(declaration.attributes).filter(({ name }) => name !== "lang"),
    events: entries(declaration.events),
  };
}

const head = `// Written from the custom-elements manifest by scripts/framework-types.ts.
import type { VisavisAvatar, VisavisEventMap } from "visavis";
`;

const property = (name: string, type: string, description: string): string =>
  `  /** ${description} */\n  "${name}"?: ${type};`;

/** The attributes as fields of an interface, with a prefix before each name. */
const attributeFields = ({ attributes }: Element, prefix = ""): string =>
  attributes
    .map(({ name, type, description }) =>
      property(prefix + name, type === "number" ? "number | string" : type, description),
    )
    .join("\n");

/** The events as listener fields, with names from `nameOf`. */
const eventFields = ({ events }: Element, nameOf: (event: string) => string): string =>
  events
    .map(({ name, type, description }) => property(nameOf(name), `(event: ${type}) => void`, description))
    .join("\n");

const react = (
  element: Element,
): string => `${head}import type { DetailedHTMLProps, HTMLAttributes } from "react";

interface VisavisAvatarAttributes {
${attributeFields(element)}
${eventFields(element, (name) => `on${name}`)}
}

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "${element.tag}": DetailedHTMLProps<HTMLAttributes<VisavisAvatar>, VisavisAvatar> & VisavisAvatarAttributes;
    }
  }
}
`;

const vue = (
  element: Element,
): string => `${head}import type { DefineComponent, HTMLAttributes, ReservedProps } from "vue";

interface VisavisAvatarAttributes {
${attributeFields(element)}
${eventFields(element, (name) => `on${name[0]?.toUpperCase() ?? ""}${name.slice(1)}`)}
}

type ElementAttributes = VisavisAvatarAttributes & HTMLAttributes & ReservedProps;

declare module "vue" {
  interface GlobalComponents {
    "${element.tag}": DefineComponent<ElementAttributes> & { readonly $el: VisavisAvatar };
  }
}

declare module "@vue/runtime-dom" {
  interface IntrinsicElementAttributes {
    "${element.tag}": ElementAttributes;
  }
}
`;

const svelte = (element: Element): string => `${head}import type { HTMLAttributes } from "svelte/elements";

interface VisavisAvatarAttributes extends HTMLAttributes<VisavisAvatar> {
${attributeFields(element)}
${eventFields(element, (name) => `on${name}`)}
${eventFields(element, (name) => `on:${name}`)}
}

declare module "svelte/elements" {
  interface SvelteHTMLElements {
    "${element.tag}": VisavisAvatarAttributes;
  }
}
`;

const solid = (element: Element): string => `${head}import type { JSX } from "solid-js";

interface VisavisAvatarAttributes extends JSX.HTMLAttributes<VisavisAvatar> {
${attributeFields(element)}
${attributeFields(element, "attr:")}
${eventFields(element, (name) => `on:${name}`)}
}

declare module "solid-js" {
  namespace JSX {
    interface IntrinsicElements {
      "${element.tag}": VisavisAvatarAttributes;
    }
  }
}
`;

/** Type declarations of the element for the templates of each framework, by framework name. */
export function frameworkTypes(manifest: Package): Readonly<Record<string, string>> {
  const element = elementOf(manifest);
  return { react: react(element), vue: vue(element), svelte: svelte(element), solid: solid(element) };
}
