import { expect, test } from "vitest";
import * as z from "zod/mini";
import { cpuMs } from "../../cpu-time.ts";
import { fieldErrors } from "../../../src/protocol/schema/field-errors.ts";

const issuesOf = (schema: z.ZodMiniType, value: unknown) =>
  schema.safeParse(value, { reportInput: true }).error?.issues ?? [];

test("each wrong field is named once, by its first error", () => {
  const schema = z.object({ name: z.string().check(z.minLength(3), z.regex(/^a/)), age: z.number() });
  const errors = fieldErrors(issuesOf(schema, { name: "b", age: "old" }));
  expect(errors.map(({ attr, code }) => [attr, code])).toEqual([
    ["name", "invalid"],
    ["age", "invalid"],
  ]);
});

test("a list with very many wrong entries is answered at once, and not with all of them", async () => {
  const wrong = Array.from({ length: 200_000 }, () => 9);
  const issues = issuesOf(z.array(z.number().check(z.lte(1))), wrong);
  let errors: ReturnType<typeof fieldErrors> = [];
  expect(await cpuMs(() => (errors = fieldErrors(issues)))).toBeLessThan(1_000);
  expect(errors).toHaveLength(100);
  expect(errors[99]).toEqual({ code: "max_value", attr: "99", detail: "This value may be at most 1." });
});
