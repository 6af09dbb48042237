import type { JsonSchema } from "../../../protocol/json-schema.ts";

type Property = JsonSchema | boolean;

/** Whether null is one of the schema's own values. A schema without a type accepts everything. */
function takesNull(schema: Property): boolean {
  if (typeof schema === "boolean") return schema;
  const { type, anyOf, $ref, enum: values, const: constant, oneOf } = schema;
  if (anyOf) return anyOf.some(takesNull);
  if ($ref !== undefined || values || constant !== undefined || oneOf) return false;
  return type === undefined || type === "null";
}

function property(schema: Property, isRequired: boolean): Property {
  if (typeof schema === "boolean") return schema || isRequired ? schema : { type: "null" };
  const inner = withNulls(schema);
  return isRequired || takesNull(inner) ? inner : { anyOf: [inner, { type: "null" }] };
}

/** Adds null to the optional fields of a body's schema, at every depth: null there means that the field was left out. */
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
