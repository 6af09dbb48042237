import * as z from "zod";
import type { WireSchema } from "../../protocol/json-schema.ts";

/** What stands for a field that was left out. */
interface AbsenceRules {
  /** Whether an empty text does, as forms send it for a field that nobody filled in. Default: false. */
  emptyIsAbsent?: boolean | undefined;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The part of zod's own description that this needs; both of its flavours share it. */
interface Definition {
  type: string;
  shape?: Record<string, WireSchema>;
  element?: WireSchema;
  innerType?: WireSchema;
}

const definitionOf = (schema: WireSchema): Definition => schema._zod.def;

/** Whether the value is only a sign that the field was left out. */
function isAbsent(schema: WireSchema, value: unknown, { emptyIsAbsent = false }: AbsenceRules): boolean {
  // Otherwise "optional" or "defaulted".
  if (schema._zod.optin === undefined) return false;
  if (value === "") return emptyIsAbsent;
  return value === null && !z.safeParse(schema, null).success;
}

/**
 * The value without the fields that stand for nothing: null where the schema lets a field be left out and has no meaning
 * for null (clients send such nulls because answers have them), and in forms an empty text. Fields that the schema does not
 * know stay as they are.
 */
export function withoutAbsent(schema: WireSchema, value: unknown, rules: AbsenceRules = {}): unknown {
  const { type, shape, element, innerType } = definitionOf(schema);
  if (innerType && ["optional", "nullable", "default"].includes(type))
    return withoutAbsent(innerType, value, rules);
  if (type === "array" && element && Array.isArray(value))
    return value.map((item) => withoutAbsent(element, item, rules));
  if (type !== "object" || !shape || !isPlainObject(value)) return value;
  const fields: Record<string, unknown> = { ...value };
  for (const [name, field] of Object.entries(shape)) {
    if (!Object.hasOwn(fields, name)) continue;
    if (isAbsent(field, fields[name], rules)) Reflect.deleteProperty(fields, name);
    else fields[name] = withoutAbsent(field, fields[name], rules);
  }
  return fields;
}
