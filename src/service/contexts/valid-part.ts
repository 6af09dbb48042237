import { isPlainObject } from "../plain-object.ts";

/** The part of a schema of zod or zod/mini that is needed here. */
interface ReadingSchema<Output> {
  safeParse(
    data: unknown,
    options: { reportInput: boolean },
  ): { success: true; data: Output } | { success: false; error: { issues: readonly Issue[] } };
}

interface Issue {
  path: readonly PropertyKey[];
  /** Of an object with fields that there are not. */
  keys?: readonly string[];
}

const pathsOf = ({ path, keys }: Issue): PropertyKey[][] =>
  keys ? keys.map((key) => [...path, key]) : [[...path]];

/** The fields without the one that a path leads to, or without the list that contains it: the places of others must not change. */
function without(
  fields: Record<string, unknown>,
  [name, ...rest]: readonly PropertyKey[],
): Record<string, unknown> {
  const { [String(name)]: inner, ...others } = fields;
  return rest.length > 0 && isPlainObject(inner)
    ? { ...others, [String(name)]: without(inner, rest) }
    : others;
}

/**
 * What can be read of fields that a schema refuses: they without the wrong ones, at any depth. Undefined where that is not enough for
 * the schema, so its fields are optional.
 */
export function validPart<Output>(
  schema: ReadingSchema<Output>,
  fields: Record<string, unknown>,
): Output | undefined {
  const first = schema.safeParse(fields, { reportInput: false });
  if (first.success) return first.data;
  const rest = first.error.issues.flatMap(pathsOf).reduce(without, fields);
  const second = schema.safeParse(rest, { reportInput: false });
  return second.success ? second.data : undefined;
}
