import {
  richButtonSchema,
  richCardSchema,
  richContentSchema,
  richFieldSchema,
  richFieldTypes,
  richFormSchema,
  richPictureSchema,
  type RichButton,
  type RichContent,
} from "./rich-content.ts";

/** Content that can be shown, or what is wrong with it, in words for the developer or the model that wrote it. */
export type ReadContent = { readonly content: RichContent } | { readonly fault: string };

const schemas = {
  content: richContentSchema,
  button: richButtonSchema,
  card: richCardSchema,
  picture: richPictureSchema,
  form: richFormSchema,
  field: richFieldSchema,
} as const;
type Kind = keyof typeof schemas;

/** Which fields hold objects of which kind. */
const inner: Readonly<Record<string, Kind>> = {
  "content.buttons": "button",
  "content.cards": "card",
  "content.form": "form",
  "card.picture": "picture",
  "card.buttons": "button",
  "form.fields": "field",
};

const textOf = (most: number): string => `a text of 1 to ${most} characters`;
const listOf = (most: number, what: string): string => `a list of 1 to ${most} ${what}`;
const actionWords = "a name of 1 to 64 letters, digits, dots, colons, hyphens or underscores";
const addressWords = "an address of at most 2000 characters";

/** The rules of the schemas, in words. */
const rules: Readonly<Record<string, string>> = {
  "content.suggestions": listOf(6, "texts of 1 to 200 characters"),
  "content.buttons": listOf(6, "buttons"),
  "content.cards": listOf(8, "cards"),
  "content.form": "a form with fields",
  "content.handover": "true or false",
  "button.label": textOf(80),
  "button.send": textOf(500),
  "button.action": actionWords,
  "button.href": addressWords,
  "card.title": textOf(120),
  "card.text": textOf(500),
  "card.price": textOf(40),
  "card.picture": "a picture with src",
  "card.href": addressWords,
  "card.buttons": listOf(3, "buttons"),
  "picture.src": addressWords,
  "picture.alt": "a text of at most 200 characters",
  "form.title": textOf(120),
  "form.fields": listOf(4, "fields"),
  "form.submit": textOf(40),
  "form.action": actionWords,
  "field.name": "a name of 1 to 40 letters, digits, hyphens or underscores, beginning with a letter",
  "field.label": textOf(80),
  "field.type": `one of ${richFieldTypes.join(", ")}`,
  "field.required": "true or false",
  "field.options": listOf(12, "texts of 1 to 80 characters"),
};

/** The longest content, as JSON. */
const contentMaxCharacters = 32_768;

/** Reads what a page, a tool or a tool server wants to show. Never throws. */
export function readRichContent(value: unknown): ReadContent {
  const fault = objectFault(value, "content", "");
  if (fault !== null) return { fault };
  const parsed = richContentSchema.safeParse(value);
  if (!parsed.success) return { fault: "The content does not have the expected form." };
  const content: RichContent = parsed.data;
  const rest = crossFault(content);
  if (rest !== null) return { fault: rest };
  return JSON.stringify(content).length > contentMaxCharacters
    ? { fault: `The content is longer than ${contentMaxCharacters} characters.` }
    : { content };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What is wrong with an object of a kind; null if nothing is. `path` leads to it, as in a program. */
function objectFault(value: unknown, kind: Kind, path: string): string | null {
  if (!isRecord(value)) return `${path || "The content"} must be an object.`;
  const shape: Readonly<Record<string, { safeParse(value: unknown): { success: boolean } }>> =
    schemas[kind].shape;
  const unknown = Object.keys(value).find((key) => !Object.hasOwn(shape, key));
  if (unknown !== undefined)
    return `${join(path, unknown)} is not a field here. There are: ${Object.keys(shape).join(", ")}.`;
  for (const [key, schema] of Object.entries(shape)) {
    const fault = fieldFault(value[key], `${kind}.${key}`, join(path, key), schema);
    if (fault !== null) return fault;
  }
  return null;
}

function join(path: string, key: string): string {
  return path ? `${path}.${key}` : key;
}

function fieldFault(
  value: unknown,
  name: string,
  path: string,
  schema: { safeParse(value: unknown): { success: boolean } },
): string | null {
  const kind = inner[name];
  if (kind && Array.isArray(value))
    for (const [index, item] of value.entries()) {
      const fault = objectFault(item, kind, `${path}[${index}]`);
      if (fault !== null) return fault;
    }
  else if (kind && isRecord(value)) {
    const fault = objectFault(value, kind, path);
    if (fault !== null) return fault;
  }
  return schema.safeParse(value).success ? null : `${path} must be ${rules[name] ?? "valid"}.`;
}

function buttonFault(buttons: readonly RichButton[] | undefined, path: string): string | null {
  const at = (buttons ?? []).findIndex(
    ({ send, action, href }) => [send, action, href].filter((way) => way !== undefined).length > 1,
  );
  return at < 0 ? null : `${path}[${at}] may have only one of send, action and href.`;
}

/** What is wrong between fields. */
function crossFault({ form, ...content }: RichContent): string | null {
  if (!form && !Object.values(content).some(Boolean))
    return "The content has nothing to show. Give it suggestions, buttons, cards, a form or handover.";
  const names = form?.fields.map(({ name }) => name) ?? [];
  if (new Set(names).size < names.length) return "form.fields must have different names.";
  const choice = form?.fields.findIndex(
    ({ type, options }) => (type === "choice") !== (options !== undefined),
  );
  if (choice !== undefined && choice >= 0)
    return `form.fields[${choice}] needs options if its type is choice, and only then.`;
  return (
    buttonFault(content.buttons, "buttons") ??
    (content.cards ?? []).reduce<string | null>(
      (fault, card, index) => fault ?? buttonFault(card.buttons, `cards[${index}].buttons`),
      null,
    )
  );
}
