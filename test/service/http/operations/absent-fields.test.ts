import * as z from "zod";
import { describe, expect, test } from "vitest";
import { withoutAbsent } from "../../../../src/service/http/operations/validation.ts";

const schema = z.object({
  name: z.string(),
  note: z.string().optional(),
  size: z.int().default(3),
  image: z.string().nullable().optional(),
  parts: z.array(z.object({ note: z.string().optional() })).optional(),
  inside: z.object({ note: z.string().optional() }).nullable().default(null),
});

describe("fields that mean that they were left out", () => {
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
    expect(withoutAbsent(schema, { name: "", note: "", size: "" }, { emptyIsAbsent: true })).toEqual({
      name: "",
    });
  });

  test.each([[null], ["text"], [[{ note: null }]]])("%j is no object, and stays as it is", (value) => {
    expect(withoutAbsent(schema, value)).toBe(value);
  });

  test("stay where the schema has no fields", () => {
    const value = { note: null };
    expect(withoutAbsent(z.record(z.string(), z.unknown()), value)).toBe(value);
    expect(withoutAbsent(z.union([schema, z.string()]), value)).toBe(value);
  });

  test("are never those of the object's prototype", () => {
    const own = z.object({ toString: z.string().optional() });
    expect(Object.keys(withoutAbsent(own, {}) as object)).toEqual([]);
  });
});
