import * as z from "zod";
import type { WireSchema } from "../../../protocol/schema/json-schema.ts";
import { isPlainObject } from "../../plain-object.ts";
import {
  colorPattern,
  contactPattern,
  fontPattern,
  linkPattern,
  originPattern,
  serverToolPattern,
  timeZonePattern,
} from "../../../protocol/settings/embed-config.ts";
import { dataLayerPattern, personPattern, phonePattern } from "../../../protocol/settings/late-settings.ts";
import { emailPattern } from "../../../protocol/session/message-fields.ts";
import { messageIdPattern } from "../../../protocol/session/visitor-message.ts";
import { toolNamePattern } from "../../../protocol/answers/llm-request.ts";
import { pictureDataPattern } from "../../../protocol/characters/photo-character.ts";
import { mattePattern } from "../../../protocol/settings/stage-settings.ts";
import type { WireError } from "../../../protocol/schema/error-body.ts";
import { fieldErrors, type FieldIssue } from "../../../protocol/schema/field-errors.ts";
import { Fault } from "../../faults/fault.ts";

/** Which values stand for a field that was left out. */
interface AbsenceRules {
  /** Whether an empty text does: forms send it for a field that was not filled in. Default: false. */
  emptyIsAbsent?: boolean | undefined;
}

/** The part of a schema's definition that is needed here; zod and zod/mini share it. */
interface Definition {
  type: string;
  shape?: Record<string, WireSchema>;
  element?: WireSchema;
  innerType?: WireSchema;
}

const definitionOf = (schema: WireSchema): Definition => schema._zod.def;

/** Whether the value means that the field was left out. */
function isAbsent(schema: WireSchema, value: unknown, { emptyIsAbsent = false }: AbsenceRules): boolean {
  // Otherwise "optional" or "defaulted".
  if (schema._zod.optin === undefined) return false;
  if (value === "") return emptyIsAbsent;
  return value === null && !z.safeParse(schema, null).success;
}

/**
 * The value without fields that mean "left out": null where the field is optional and the schema has no meaning for null
 * (answers contain such nulls, and clients send them back), and in forms an empty text. Unknown fields stay as they are.
 */
export function withoutAbsent(schema: WireSchema, value: unknown, rules: AbsenceRules = {}): unknown {
  const { type, shape, element, innerType } = definitionOf(schema);
  if (innerType && ["optional", "nullable", "default"].includes(type))
    return withoutAbsent(innerType, value, rules);
  if (element && Array.isArray(value)) return value.map((item) => withoutAbsent(element, item, rules));
  if (!shape || !isPlainObject(value)) return value;
  const fields: Record<string, unknown> = { ...value };
  for (const [name, field] of Object.entries(shape)) {
    if (!Object.hasOwn(fields, name)) continue;
    if (isAbsent(field, fields[name], rules)) Reflect.deleteProperty(fields, name);
    else fields[name] = withoutAbsent(field, fields[name], rules);
  }
  return fields;
}

const words = new Map<RegExp, string>([
  [colorPattern, "A colour is # and three or six hexadecimal digits: #0d6660."],
  [
    originPattern,
    "An origin is http:// or https://, a host, and a port where there is one, without a path: https://shop.example. " +
      "Every port of this machine is http://localhost:*.",
  ],
  [
    linkPattern,
    "A link begins with https:// and has no spaces, quotes or angle brackets: https://shop.example/privacy.",
  ],
  [
    contactPattern,
    "An address of contact begins with https://, http://, mailto: or tel: and has no spaces, quotes or angle brackets: " +
      "mailto:help@shop.example.",
  ],
  [
    personPattern,
    "A person's address begins with https:// or mailto: and has no spaces, quotes or angle brackets: mailto:help@shop.example.",
  ],
  [emailPattern, "An e-mail address has a name, an @ and a place: ana@shop.example."],
  [messageIdPattern, "An id has 8 to 64 Latin letters, digits, hyphens and underscores."],
  [phonePattern, "A phone number has digits, spaces and ( ) . / - and may begin with +: +44 20 7946 0000."],
  [
    dataLayerPattern,
    "data_layer is true, or the name of the page's array: letters, digits, _ and $, not beginning with a digit.",
  ],
  [
    fontPattern,
    "A font is a list of family names with commas, at most 200 characters, as in CSS: Georgia, 'Times New Roman', serif.",
  ],
  [timeZonePattern, "A time zone is named by its region and its place: Europe/Berlin."],
  [serverToolPattern, "A tool is named by its server, a slash and its own name: orders/cancel."],
  [
    mattePattern,
    "Allowed here: none, packed-alpha, and chroma: with a colour of six digits (chroma:#00ff00).",
  ],
  [
    pictureDataPattern,
    "A layer is a WebP or PNG picture as a data: address in base64: data:image/webp;base64,…",
  ],
  [toolNamePattern, "A tool's name has 1 to 64 Latin letters, digits, hyphens and underscores."],
]);

const wordsBySource: ReadonlyMap<string, string> = new Map(
  [...words].map(([pattern, rule]) => [String(pattern), rule]),
);

/** The rule of a pattern in words, or undefined if it has none. `pattern` is the expression's own text, with its slashes. */
export function formatWords(pattern: string | undefined): string | undefined {
  return pattern === undefined ? undefined : wordsBySource.get(pattern);
}

/** A schema of zod or zod/mini that values are validated with. */
interface Schema<Output> {
  safeParse(
    data: unknown,
    options: { reportInput: boolean },
  ): { success: true; data: Output } | { success: false; error: { issues: readonly FieldIssue[] } };
}

/** A schema that both validates and documents. */
export type OperationSchema<Output> = Schema<Output> & WireSchema<Output>;

/** Fields after their check: what the schema made of them, or one entry for each wrong one. */
type CheckedFields<Output> = { ok: true; data: Output } | { ok: false; errors: WireError[] };

/** Checks fields whose absent ones are removed already (`withoutAbsent`). */
export function checkedFields<Output>(schema: Schema<Output>, fields: unknown): CheckedFields<Output> {
  const result = schema.safeParse(fields, { reportInput: true });
  if (result.success) return { ok: true, data: result.data };
  return { ok: false, errors: fieldErrors(result.error.issues, formatWords) };
}

/**
 * The errors of several checks of the same fields. Where one has named a field, what others say of it or of what is in it is left out:
 * it follows from the first.
 */
export function joinedErrors(first: readonly WireError[], further: readonly WireError[]): WireError[] {
  const isNamed = ({ attr }: WireError): boolean =>
    first.some((error) => error.attr !== null && (attr === error.attr || attr?.startsWith(`${error.attr}.`)));
  return [...first, ...further.filter((error) => !isNamed(error))];
}

/**
 * Validates fields. Throws a Fault with one entry for each wrong field. For an optional field, null means that it was left
 * out; with `emptyIsAbsent` an empty text does too.
 */
export function validated<Output>(
  schema: Schema<Output> & WireSchema,
  fields: unknown,
  { emptyIsAbsent = false }: { emptyIsAbsent?: boolean } = {},
): Output {
  const checked = checkedFields(schema, withoutAbsent(schema, fields, { emptyIsAbsent }));
  if (!checked.ok) throw Fault.validation(checked.errors);
  return checked.data;
}
