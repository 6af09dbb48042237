import * as z from "zod";

/** A schema of zod or zod/mini. */
export type WireSchema<Output = unknown> = z.core.$ZodType<Output>;

/** A schema in JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
export type JsonSchema = z.core.JSONSchema.JSONSchema;

/** Whether the schema describes what is sent to the service or what the service answers. */
export type Direction = "input" | "output";

interface Naming {
  direction: Direction;
  /** Schemas that are referenced instead of repeated, by name. */
  named: ReadonlyMap<string, WireSchema>;
  /** The URI of a named schema. */
  uri: (name: string) => string;
}

/** Removes `additionalProperties: false`, because clients must accept answers with unknown fields. */
function open(schema: JsonSchema): void {
  if (schema.additionalProperties === false) delete schema.additionalProperties;
}

function withoutMarks({ $schema: _dialect, $id: _id, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

function registryOf({ named }: Naming): z.core.$ZodRegistry<{ id: string }> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of named) registry.add(schema, { id });
  return registry;
}

const settings = ({ direction }: Naming) => ({
  io: direction,
  unrepresentable: "any" as const,
  override: ({ jsonSchema }: { jsonSchema: JsonSchema }) => open(jsonSchema),
});

/** The named schemas themselves, which refer to each other. */
export function namedJsonSchemas(naming: Naming): Record<string, JsonSchema> {
  const { schemas } = z.toJSONSchema(registryOf(naming), { ...settings(naming), uri: naming.uri });
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, withoutMarks(schema)]));
}

/** Temporary name of a schema that has none. */
const unnamed = "-";

/** One schema: a reference if it has a name, else the schema itself, with references to the named schemas inside it. */
export function jsonSchema(schema: WireSchema, naming: Naming): JsonSchema {
  for (const [name, known] of naming.named) if (known === schema) return { $ref: naming.uri(name) };
  const whole: Naming = { ...naming, named: new Map([...naming.named, [unnamed, schema]]) };
  return namedJsonSchemas(whole)[unnamed] ?? {};
}
