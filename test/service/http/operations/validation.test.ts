import { expect, it } from "vitest";
import * as z from "zod";
import { Fault } from "../../../../src/service/fault.ts";
import { validated } from "../../../../src/service/http/operations/validation.ts";

const schema = z.object({
  origins: z.array(z.string()),
  isActive: z.boolean(),
  seconds: z.int(),
  config: z.object({}),
  name: z.string(),
});

/** What is said of each field of a body. */
function saidOf(body: unknown): Record<string, string> {
  try {
    validated(schema, body);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return Object.fromEntries(error.body.errors.map(({ attr, detail }) => [String(attr), detail]));
  }
  return {};
}

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
