import { expect, it } from "vitest";
import * as z from "zod";
import { colorPattern } from "../../../../src/protocol/settings/embed-config.ts";
import { Fault } from "../../../../src/service/faults/fault.ts";
import { joinedErrors, validated } from "../../../../src/service/http/operations/validation.ts";

const schema = z.object({
  origins: z.array(z.string()),
  isActive: z.boolean(),
  seconds: z.int(),
  config: z.object({}),
  name: z.string(),
});

/** What is said of each field that is wrong. */
function errorsOf(check: () => unknown): Record<string, string> {
  try {
    check();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return Object.fromEntries(error.body.errors.map(({ attr, detail }) => [String(attr), detail]));
  }
  return {};
}

const saidOf = (body: unknown) => errorsOf(() => validated(schema, body));

it("says in words what a field of another type must be", () => {
  expect(
    saidOf({ origins: "https://a.example", isActive: "yes", seconds: 1.5, config: [], name: 7 }),
  ).toEqual({
    origins: "This field must be a list.",
    isActive: "This field must be true or false.",
    seconds: "This field must be a whole number.",
    config: "This field must be an object.",
    name: "This field must be a text.",
  });
});

it("tells a missing field from one that is null", () => {
  const said = saidOf({ isActive: null, seconds: 1, config: {}, name: "x" });
  expect(said).toEqual({ origins: "This field is required.", isActive: "This field may not be null." });
});

it("counts null as left out, and an empty text only where it is told to", () => {
  const optional = z.object({ note: z.string().optional(), size: z.int().optional() });
  expect(validated(optional, { note: null })).toEqual({});
  expect(validated(optional, { note: "" })).toEqual({ note: "" });
  expect(validated(optional, { note: "", size: "" }, { emptyIsAbsent: true })).toEqual({});
});

it("says the rule of a pattern in words", () => {
  const coloured = z.object({
    color: z.string().regex(colorPattern),
    other: z.string().regex(/^a$/, "An a."),
  });
  expect(errorsOf(() => validated(coloured, { color: "red", other: "b" }))).toEqual({
    color: "A colour is # and three or six hexadecimal digits: #0d6660.",
    other: "An a.",
  });
});

it("leaves out what follows from an error of the same field", () => {
  const error = (attr: string | null) => ({ code: "invalid" as const, detail: "", attr });
  const named = (first: (string | null)[], further: (string | null)[]) =>
    joinedErrors(first.map(error), further.map(error)).map(({ attr }) => attr);
  expect(named(["a"], ["a", "a.b", "ab", null])).toEqual(["a", "ab", null]);
  expect(named(["a.b"], ["a", "a.b.c"])).toEqual(["a.b", "a"]);
  expect(named([null], [null, "a"])).toEqual([null, null, "a"]);
  expect(named([], ["a", "a"])).toEqual(["a", "a"]);
});
