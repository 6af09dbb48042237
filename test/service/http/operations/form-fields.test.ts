import { expect, test } from "vitest";
import { jsonSchema, type JsonSchema } from "../../../../src/protocol/schema/json-schema.ts";
import { createHttpApp, type HttpDependencies } from "../../../../src/service/http/http-app.ts";
import type { Operation } from "../../../../src/service/http/operations/operation.ts";
import { defaultServiceSettings } from "../../../../src/service/service-settings.ts";

/** The app without a store. */
const { operations } = createHttpApp({
  ...({} as HttpDependencies),
  store: {} as never,
  settings: { ...defaultServiceSettings, publicUrl: "https://relay.example", publicFolder: "/" },
});

function takesText(schema: JsonSchema | boolean): boolean {
  if (typeof schema === "boolean") return true;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.some(takesText);
  return schema.type === undefined || [schema.type].flat().includes("string");
}

const withBody = operations.flatMap(({ id, path, body }): [string, NonNullable<Operation["body"]>][] =>
  body && /^\/api\/(?:v1|console\/b2c)\//.test(path) ? [[id, body]] : [],
);

test.each(withBody)("every field of %s that is no text can be sent in a form", (_, { schema, form = {} }) => {
  const { properties = {} } = jsonSchema(schema, {
    direction: "input",
    named: new Map(),
    uri: (name) => name,
  });
  const known = Object.values(form).flat();
  const others = Object.keys(properties).filter((name) => !takesText(properties[name]!));
  expect(others.filter((name) => !known.includes(name))).toEqual([]);
});
