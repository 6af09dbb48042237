import * as z from "zod";
import type { WireSchema } from "../../../protocol/json-schema.ts";
import { isPlainObject } from "../../plain-object.ts";

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
