import { readdirSync } from "node:fs";
import * as z from "zod";
import { expect, test } from "vitest";
import { formatWords } from "../../../../src/service/http/operations/validation.ts";

const folder = new URL("../../../../src/protocol/", import.meta.url);

/** The patterns of all schemas that have no entry in the table of words. */
async function patternsWithoutWords(): Promise<string[]> {
  const found = new Set<string>();
  for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && !/^console|small-zod/.test(name),
  )) {
    const module = (await import(new URL(file, folder).href)) as Record<string, unknown>;
    for (const schema of Object.values(module)) {
      if (!(schema instanceof z.core.$ZodType)) continue;
      const text = JSON.stringify(z.toJSONSchema(schema, { unrepresentable: "any", io: "input" }));
      JSON.parse(text, (key, value: unknown) => {
        if (key === "pattern" && typeof value === "string") found.add(String(new RegExp(value)));
        return value;
      });
    }
  }
  return [...found].filter((pattern) => formatWords(pattern) === undefined).sort();
}

test("every pattern of a setting has words for its error", async () => {
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
