import { readdirSync } from "node:fs";
import * as z from "zod";
import { describe, expect, test } from "vitest";
import { colorPattern } from "../../../../src/protocol/settings/embed-config.ts";
import { jsonSchema, type JsonSchema } from "../../../../src/protocol/schema/json-schema.ts";
import { Fault } from "../../../../src/service/faults/fault.ts";
import type { Operation } from "../../../../src/service/http/operations/operation.ts";
import {
  formatWords,
  joinedErrors,
  validated,
  withoutAbsent,
} from "../../../../src/service/http/operations/validation.ts";
import { registeredOperations } from "./answering.ts";

/** What is said of each field that is wrong. */
function errorsOf(schema: z.ZodType, body: unknown): Record<string, string> {
  try {
    validated(schema, body);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return Object.fromEntries(error.body.errors.map(({ attr, detail }) => [String(attr), detail]));
  }
  return {};
}

describe("what is said of a field", () => {
  const schema = z.object({
    ...{ origins: z.array(z.string()), isActive: z.boolean(), seconds: z.int(), config: z.object({}) },
    name: z.string(),
  });

  test("of another type: in words what it must be", () => {
    const body = { origins: "https://a.example", isActive: "yes", seconds: 1.5, config: [], name: 7 };
    expect(errorsOf(schema, body)).toEqual({
      origins: "This field must be a list.",
      isActive: "This field must be true or false.",
      seconds: "This field must be a whole number.",
      config: "This field must be an object.",
      name: "This field must be a text.",
    });
  });

  test("that is missing differs from one that is null", () => {
    const said = { origins: "This field is required.", isActive: "This field may not be null." };
    expect(errorsOf(schema, { isActive: null, seconds: 1, config: {}, name: "x" })).toEqual(said);
  });

  test("that has a pattern: its rule in words", () => {
    const other = z.string().regex(/^a$/, "An a.");
    const coloured = z.object({ color: z.string().regex(colorPattern), other });
    expect(errorsOf(coloured, { color: "red", other: "b" })).toEqual({
      color: "A colour is # and three or six hexadecimal digits: #0d6660.",
      other: "An a.",
    });
  });

  test("leaves out what follows from an error of the same field", () => {
    const error = (attr: string | null) => ({ code: "invalid" as const, detail: "", attr });
    const named = (first: (string | null)[], further: (string | null)[]) =>
      joinedErrors(first.map(error), further.map(error)).map(({ attr }) => attr);
    expect(named(["a"], ["a", "a.b", "ab", null])).toEqual(["a", "ab", null]);
    expect(named(["a.b"], ["a", "a.b.c"])).toEqual(["a.b", "a"]);
    expect(named([null], [null, "a"])).toEqual([null, null, "a"]);
    expect(named([], ["a", "a"])).toEqual(["a", "a"]);
  });

  /** The patterns of all schemas that have no entry in the table of words. */
  async function patternsWithoutWords(): Promise<string[]> {
    const folder = new URL("../../../../src/protocol/", import.meta.url);
    const found = new Set<string>();
    for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
      (name) => name.endsWith(".ts") && !/^console|small-zod/.test(name),
    )) {
      const module = (await import(new URL(file, folder).href)) as Record<string, unknown>;
      for (const each of Object.values(module)) {
        if (!(each instanceof z.core.$ZodType)) continue;
        const text = JSON.stringify(z.toJSONSchema(each, { unrepresentable: "any", io: "input" }));
        JSON.parse(text, (key, value: unknown) => {
          if (key === "pattern" && typeof value === "string") found.add(String(new RegExp(value)));
          return value;
        });
      }
    }
    return [...found].filter((pattern) => formatWords(pattern) === undefined).sort();
  }

  test("has words for every pattern of a setting", async () => {
    expect(await patternsWithoutWords()).toEqual([
      // A voice's name has its words in the schema.
      "/^[A-Za-z0-9_-]+$/",
      // The browser's own id of a visitor, which nobody writes.
      "/^[A-Za-z0-9_-]{8,64}$/",
      // The names of forms' fields and of actions, which read-rich-content says in words.
      "/^[A-Za-z][\\w-]{0,39}$/",
      "/^[\\w.:-]{1,64}$/",
      // The prefix of interactive agents, which zod says in words.
      "/^pliac-.*/",
    ]);
  });
});

describe("fields that mean that they were left out", () => {
  const note = z.string().optional();
  const schema = z.object({
    ...{ name: z.string(), note, size: z.int().default(3), image: z.string().nullable().optional() },
    parts: z.array(z.object({ note })).optional(),
    inside: z.object({ note }).nullable().default(null),
  });

  test.each([
    [{ name: null }, { name: null }],
    [{ note: null }, {}],
    [{ note: "" }, { note: "" }],
    [{ size: null }, {}],
    [{ image: null }, { image: null }],
    [{ unknown: null }, { unknown: null }],
    [{ parts: [{ note: null, other: null }, 7] }, { parts: [{ other: null }, 7] }],
    [{ parts: null }, {}],
    [{ parts: { note: null } }, { parts: { note: null } }],
    [{ inside: { note: null } }, { inside: {} }],
    [{ inside: null }, { inside: null }],
    [{ inside: [{ note: null }] }, { inside: [{ note: null }] }],
  ])("%j is read as %j", (given, read) => {
    const before = structuredClone(given);
    expect(withoutAbsent(schema, given)).toEqual(read);
    expect(given).toEqual(before);
  });

  test("are empty in a form too, unless they are required", () => {
    const empty = { name: "", note: "", size: "" };
    expect(withoutAbsent(schema, empty, { emptyIsAbsent: true })).toEqual({ name: "" });
    expect(validated(z.object({ note }), { note: "" }, { emptyIsAbsent: true })).toEqual({});
    expect(validated(z.object({ note }), { note: "" })).toEqual({ note: "" });
    expect(validated(z.object({ note }), { note: null })).toEqual({});
  });

  test.each([[null], ["text"], [[{ note: null }]]])("%j is no object, and stays as it is", (value) => {
    expect(withoutAbsent(schema, value)).toBe(value);
  });

  test("stay where the schema has no fields, and are never those of the object's prototype", () => {
    const value = { note: null };
    for (const loose of [z.record(z.string(), z.unknown()), z.union([schema, z.string()])])
      expect(withoutAbsent(loose, value)).toBe(value);
    const own = z.object({ toString: z.string().optional() });
    expect(Object.keys(withoutAbsent(own, {}) as object)).toEqual([]);
  });
});

describe("a form", () => {
  function takesText(schema: JsonSchema | boolean): boolean {
    if (typeof schema === "boolean") return true;
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices) return choices.some(takesText);
    return schema.type === undefined || [schema.type].flat().includes("string");
  }

  const withBody = registeredOperations.flatMap(({ id, path, body }) =>
    body && /^\/api\/(?:v1|console\/b2c)\//.test(path) ? [{ id, body }] : [],
  );

  test.each<{ id: string; body: NonNullable<Operation["body"]> }>(withBody)(
    "can have every field of $id that is no text",
    ({ body: { schema, form = {} } }) => {
      const naming = { direction: "input" as const, named: new Map(), uri: (name: string) => name };
      const { properties = {} } = jsonSchema(schema, naming);
      const known = Object.values(form).flat();
      const others = Object.keys(properties).filter((name) => !takesText(properties[name]!));
      expect(others.filter((name) => !known.includes(name))).toEqual([]);
    },
  );
});
