import type { JsonSchema } from "../../protocol/json-schema.ts";

type Property = JsonSchema | boolean;

/** Whether null is one of the schema's own values; a schema that names no type takes everything. */
function takesNull(schema: Property): boolean {
  if (typeof schema === "boolean") return schema;
  const { type, anyOf, $ref, enum: values, const: constant, oneOf } = schema;
  if (anyOf) return anyOf.some(takesNull);
  if ($ref !== undefined || values || constant !== undefined || oneOf) return false;
  return type === undefined || type === "null";
}

function property(schema: Property, isRequired: boolean): Property {
  const inner = typeof schema === "boolean" ? schema : withNulls(schema);
  return isRequired || takesNull(inner) ? inner : { anyOf: [inner as JsonSchema, { type: "null" }] };
}

/**
 * The schema of a body as bodies are read: null for a field that may be left out means that it was left out, at every depth.
 */
export function withNulls(schema: JsonSchema): JsonSchema {
  const { items, properties, required = [] } = schema;
  const result = { ...schema };
  if (typeof items === "object" && !Array.isArray(items)) result.items = withNulls(items);
  if (properties)
    result.properties = Object.fromEntries(
      Object.entries(properties).map(([name, inner]) => [name, property(inner, required.includes(name))]),
    );
  return result;
}
